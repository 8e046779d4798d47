import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { RouteTraffic } from '#common/model/traffic.ts';
import { useIsCurrent } from '#api/queries.ts';
import { BandGauge } from '#ui/band-gauge.tsx';
import { Icon } from '#ui/icon.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { measureText, numberText } from '#ui/quantity.ts';
import { RouteName } from '#ui/route-name.tsx';
import { SampleButton } from '#ui/sample-button.tsx';
import { Shape } from '#ui/shape.tsx';
import { Sparkline } from '#ui/sparkline.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { Ago } from '#ui/time.tsx';
import { isFailing, isQuiet, routeGroups, type SilentCallers } from './overview-view.ts';

/** A limit for the overview; the Routes page lists all. */
const ROUTES_SHOWN = 50;

export function RouteTable({
  routes,
  silent,
  range,
}: {
  routes: readonly RouteTraffic[];
  silent: SilentCallers;
  range: string;
}) {
  const { t } = useTranslation();
  return (
    <Panel
      title={t('nav.routes')}
      side={
        <Link href="/routes" className="touch row">
          {routes.length > ROUTES_SHOWN
            ? t('overviewPage.allRoutesOf', { count: routes.length })
            : t('overviewPage.allRoutes')}
          <Icon name="right" small />
        </Link>
      }
    >
      {routes.length === 0 ? (
        <Empty title={t('overview.noRoutes')} help={t('pipelines.emptyHelp')}>
          <SampleButton />
        </Empty>
      ) : (
        <table>
          <TableHead
            columns={[
              { text: t('overview.stateColumn'), hidden: true },
              t('overview.route'),
              t('overviewPage.lastCaller'),
              { text: t('overviewPage.perSecond'), className: 'number-cell' },
              { text: range, className: 'wide' },
              { text: t('overviewPage.errors'), className: 'number-cell', title: t('overviewPage.errorsHelp') },
              { text: 'p99', className: 'number-cell' },
              t('overviewPage.p99Usual'),
            ]}
          />
          <RouteRows routes={routes} silent={silent} />
        </table>
      )}
    </Panel>
  );
}

const COLUMNS = 8;

function RouteRows({ routes, silent }: { routes: readonly RouteTraffic[]; silent: SilentCallers }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { shown, idle } = routeGroups(routes, silent);
  const foldable = idle.slice(0, Math.max(0, ROUTES_SHOWN - shown.length));
  const rows = (some: readonly RouteTraffic[]) =>
    some.map((route) => (
      <RouteRow key={`${route.project}/${route.pipeline}/${route.node}`} route={route} silent={silent} />
    ));
  return (
    <tbody>
      {rows(shown.slice(0, ROUTES_SHOWN))}
      {foldable.length > 0 && (
        <tr>
          <td colSpan={COLUMNS}>
            <Button variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              <Icon name={isOpen ? 'down' : 'right'} small />
              {t('overviewPage.idle', { count: foldable.length })}
            </Button>
          </td>
        </tr>
      )}
      {isOpen && rows(foldable)}
    </tbody>
  );
}

function RouteRow({ route, silent }: { route: RouteTraffic; silent: SilentCallers }) {
  const { t, i18n } = useTranslation();
  const quiet = isQuiet(route, silent);
  const failing = isFailing(route);
  const name = (
    <Link href={`/pipelines/${route.project}/${route.pipeline}?node=${route.node}`} className="row-link">
      <span className="two">
        <RouteName method={route.method} pattern={route.pattern} />
        <small>{route.pipelineName}</small>
      </span>
    </Link>
  );
  if (!route.answers) {
    return (
      <tr className="dim">
        <td className="shape-cell">
          <Shape name="stopped" label={t('overviewPage.stopped')} small />
        </td>
        <td>{name}</td>
        <td colSpan={6}>{t('overviewPage.pipelineStopped')}</td>
      </tr>
    );
  }
  const { errorShare, p99Ms, p99Usual, callsPerSecond } = route;
  return (
    <tr className={failing || quiet ? 'warning-edge' : ''}>
      <td className="shape-cell">
        <RouteShape isAbnormal={failing || quiet} />
      </td>
      <td>{name}</td>
      <td>
        <LastCaller route={route} quiet={quiet} />
      </td>
      <td className="number-cell">{callsPerSecond === null ? '–' : numberText(callsPerSecond, i18n.language, 1)}</td>
      <td className="wide spark-cell">
        <Sparkline series={route.series} />
      </td>
      <td className="number-cell">
        {errorShare === null ? (
          '–'
        ) : (
          <span className={failing ? 'warn-text' : ''}>{numberText(errorShare * 100, i18n.language, 1)} %</span>
        )}
      </td>
      <td className="number-cell">{p99Ms === null ? '–' : `${measureText(Math.round(p99Ms), i18n.language)} ms`}</td>
      <td className="band-cell">
        {p99Ms === null || p99Usual === null ? (
          '–'
        ) : (
          <BandGauge
            label={t('overviewPage.p99Of', { route: `${route.method} ${route.pattern}` })}
            value={p99Ms}
            usual={p99Usual}
            abnormal="above"
            text={`${Math.round(p99Ms)} ms`}
          />
        )}
      </td>
    </tr>
  );
}

function RouteShape({ isAbnormal }: { isAbnormal: boolean }) {
  const { t } = useTranslation();
  const isCurrent = useIsCurrent();
  if (!isCurrent) return <Shape name="unknown" label={t('overviewPage.unknownNow')} small />;
  if (isAbnormal) return <Shape name="warning" label={t('alarmKind.warning')} />;
  return <Shape name="running" label={t('overviewPage.answers')} small />;
}

function LastCaller({ route, quiet }: { route: RouteTraffic; quiet: boolean }) {
  const { t } = useTranslation();
  const { lastCall } = route;
  if (lastCall === null) return <span className="t3">{t('overviewPage.nobody')}</span>;
  return (
    <span className="two">
      {lastCall.keyId === null ? t('overviewPage.public') : (lastCall.name ?? lastCall.keyId)}
      <small className={quiet ? 'warn-text' : ''}>
        {quiet && `${t('overviewPage.silent')}, `}
        <Ago iso={lastCall.at} />
      </small>
    </span>
  );
}

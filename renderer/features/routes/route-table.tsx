import { useMediaQuery } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { RouteRecord } from '#common/model/route-record.ts';
import { useIsCurrent } from '#api/queries.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/now.ts';
import { bytesText, numberText } from '#ui/quantity.ts';
import { RouteName } from '#ui/route-name.tsx';
import { ageText } from '#ui/time.tsx';
import { VirtualTable, type Column } from '#ui/virtual-table.tsx';
import { routeKey } from './route-view.ts';
import { useConsumers, type Consumers } from './use-consumers.ts';

interface Props {
  routes: readonly RouteRecord[];
  /** The key of the route whose details are shown beside the list, or "". */
  chosen: string;
  onOpen: (key: string, by: HTMLElement) => void;
}

const ROW_HEIGHT = 56;
const WIDE = '(min-width: 1600px)';

export function RouteTable({ routes, chosen, onOpen }: Props) {
  const { t } = useTranslation();
  const consumers = useConsumers(routes);
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false }) && chosen === '';
  return (
    <VirtualTable
      label={t('nav.routes')}
      columns={columnsOf({ t, chosen, onOpen, consumers, wide })}
      rows={routes}
      keyOf={routeKey}
      rowHeight={ROW_HEIGHT}
      classOf={(route) => (routeKey(route) === chosen ? 'selected' : edgeOf(route))}
    />
  );
}

interface Shown extends Pick<Props, 'chosen' | 'onOpen'> {
  t: TFunction;
  consumers: Consumers;
  /** Limits have a separate column. */
  wide: boolean;
}

function columnsOf({ t, chosen, onOpen, consumers, wide }: Shown): Column<RouteRecord>[] {
  const limits: Column<RouteRecord> = {
    key: 'limits',
    head: t('routes.column.limits'),
    least: 180,
    grow: 1.6,
    renderCell: (route) => <Limits route={route} />,
  };
  return [
    {
      key: 'state',
      head: t('routes.column.state'),
      least: 136,
      renderCell: (route) => <RouteState route={route} />,
    },
    {
      key: 'route',
      head: t('routes.column.route'),
      least: 250,
      grow: 3,
      card: 'title',
      renderCell: (route) => <RouteButton route={route} chosen={chosen} onOpen={onOpen} />,
    },
    {
      key: 'pipeline',
      head: t('routes.column.pipeline'),
      least: 130,
      grow: 2,
      renderCell: (route) => <PipelineLink route={route} />,
    },
    {
      key: 'access',
      head: t('routes.column.access'),
      least: 212,
      grow: 2.4,
      renderCell: (route) => <Access route={route} withLimits={!wide} />,
    },
    ...(wide ? [limits] : []),
    {
      key: 'consumers',
      head: t('routes.column.consumers'),
      least: 160,
      grow: 1.8,
      renderCell: (route) => <ConsumersCell route={route} consumers={consumers} />,
    },
  ];
}

const edgeOf = ({ state }: RouteRecord) => (state === 'failed' ? 'alarm-edge' : '');

export function RouteState({ route }: { route: RouteRecord }) {
  const { t } = useTranslation();
  const isCurrent = useIsCurrent();
  if (route.answers && !isCurrent) return <Chip shape="unknown">{t('routes.state.answered')}</Chip>;
  if (route.answers) return <Chip shape="running">{t('routes.state.answers')}</Chip>;
  if (route.state === 'failed' && route.draft !== 'added') return <Chip shape="alarm">{t('routes.state.failed')}</Chip>;
  if (route.unreadable.length > 0) return <Chip shape="warning">{t('routes.state.invalid')}</Chip>;
  return (
    <Chip shape="stopped" quiet>
      {route.draft === 'added' ? t('routes.state.added') : t('routes.state.stopped')}
    </Chip>
  );
}

function RouteButton({ route, chosen, onOpen }: { route: RouteRecord } & Pick<Props, 'chosen' | 'onOpen'>) {
  const { t } = useTranslation();
  const key = routeKey(route);
  const { method, pattern } = route;
  return (
    <button
      type="button"
      className="row-link"
      aria-pressed={key === chosen}
      aria-label={t('routes.open', { method, pattern })}
      title={pattern}
      onClick={(event) => onOpen(key, event.currentTarget)}
    >
      <RouteName method={method} pattern={pattern} oneLine />
    </button>
  );
}

function PipelineLink({ route }: { route: RouteRecord }) {
  const { project, pipeline, pipelineName } = route;
  return (
    <Link href={`/pipelines/${project}/${pipeline}`} className="touch two-lines-link">
      <span className="two">
        <span className="cut">{pipelineName}</span>
        <small className="cut">{project}</small>
      </span>
    </Link>
  );
}

function Access({ route, withLimits }: { route: RouteRecord; withLimits: boolean }) {
  const from = useSourceWords(route);
  const limits = useLimitWords(route);
  const words = [...from, ...(withLimits ? limits : [])].join(', ');
  return (
    <span className="two">
      <AccessChip route={route} />
      {words !== '' && (
        <small className="cut" title={words}>
          {words}
        </small>
      )}
    </span>
  );
}

const SCOPES_SHOWN = 2;

/** A route without a key is highlighted: it is open to everyone who reaches the port, unless addresses are listed. */
export function AccessChip({ route }: { route: RouteRecord }) {
  const { t } = useTranslation();
  const { authType, allowedIps, requiredScopes } = route;
  if (authType === 'none') {
    if (allowedIps === null) return <Chip shape="warning">{t('routes.public')}</Chip>;
    return <Chip shape="advisory">{t('routes.publicFrom')}</Chip>;
  }
  if (requiredScopes.length === 0) return <span className="t2">{t('routes.anyKey')}</span>;
  const rest = requiredScopes.length - SCOPES_SHOWN;
  return (
    <span className="scopes" title={requiredScopes.join(', ')}>
      {requiredScopes.slice(0, SCOPES_SHOWN).map((name) => (
        <span key={name} className="tag">
          {name}
        </span>
      ))}
      {rest > 0 && <span className="t3">{t('routes.more', { count: rest })}</span>}
    </span>
  );
}

function Limits({ route }: { route: RouteRecord }) {
  const words = useLimitWords(route).join(', ');
  return (
    <span className="cut t2" title={words}>
      {words}
    </span>
  );
}

function useSourceWords({ allowedIps }: RouteRecord): string[] {
  const { t } = useTranslation();
  if (allowedIps === null) return [];
  const [only] = allowedIps;
  if (allowedIps.length === 1 && only !== undefined) return [t('routes.fromOne', { range: only })];
  return [t('routes.from', { count: allowedIps.length })];
}

function useLimitWords({ rateLimit, maxPayloadSize, corsEnabled }: RouteRecord): string[] {
  const { t, i18n } = useTranslation();
  const rate = numberText(rateLimit, i18n.language, 2);
  return [
    rateLimit > 0 ? t('routes.rateShort', { rate }) : t('routes.noLimit'),
    bytesText(maxPayloadSize, i18n.language),
    ...(corsEnabled ? [t('routes.corsShort')] : []),
  ];
}

function ConsumersCell({ route, consumers }: { route: RouteRecord; consumers: Consumers }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const keys = consumers.keysOf(route);
  const call = consumers.lastCallOf(route);
  const last =
    call &&
    t('routes.lastCall', {
      name: call.name ?? (call.keyId === null ? call.ip : t('routes.anonymous')),
      age: ageText(t, i18n.language, call.at, now),
    });
  return (
    <span className="two">
      {keys !== null && route.authType === 'api_key' && (
        <span className={keys.length === 0 ? 't3' : ''}>
          {keys.length === 0 ? t('routes.noKeys') : t('routes.keys', { count: keys.length })}
        </span>
      )}
      {consumers.callsKnown && (
        <small className="cut" title={last}>
          {last ?? t('routes.noCalls')}
        </small>
      )}
    </span>
  );
}

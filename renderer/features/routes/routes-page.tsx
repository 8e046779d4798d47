import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RouteList, RouteRecord } from '#common/model/route-record.ts';
import { useStatus } from '#api/queries.ts';
import { useRoutes } from '#api/routes-queries.ts';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { FindRow } from '#ui/find-row.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { EmptyPanel } from '#ui/empty-panel.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { useAddress } from '#ui/use-address.ts';
import { OpenApiDialog } from './openapi-dialog.tsx';
import { RoutePanel } from './route-panel.tsx';
import { RouteTable } from './route-table.tsx';
import { chosenRoutes, inOrder, routeKey, sumsOf } from './route-view.ts';
import './routes.css';

/** The routes of this gateway, their access rules, and how to call them. */
export function RoutesPage() {
  const { t } = useTranslation();
  const routes = useRoutes();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <PageHead
        ofGateway
        title={t('nav.routes')}
        answer={routes.data && <Answer routes={routes.data.items} />}
        actions={
          routes.data &&
          routes.data.items.length > 0 && <Button onClick={() => setAsking(true)}>{t('routes.openApi')}</Button>
        }
      />
      <LoadingRows of={routes} />
      {routes.data && <Body list={routes.data} />}
      {asking && <OpenApiDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function Answer({ routes }: { routes: readonly RouteRecord[] }) {
  const { t } = useTranslation();
  const state = useStatus().data?.gateway.state;
  const { count, answering, open, failed } = sumsOf(routes);
  if (count === 0) return t('routes.answerNone');
  if (state === 'dead') return <b>{t('routes.gatewayDown')}</b>;
  return (
    <>
      {t('routes.answer', { answering, count })} {failed > 0 && <b>{t('routes.failed', { count: failed })} </b>}
      {open > 0 && <b>{t('routes.open', { count: open })}</b>}
    </>
  );
}

/** The shown selection is part of the address: `?find=…&project=…&route=project/pipeline/node`. */
function Body({ list }: { list: RouteList }) {
  const { t } = useTranslation();
  const { read, change } = useAddress();
  const [find, project, route] = [read('find'), read('project'), read('route')];
  const opener = useRef<HTMLElement | null>(null);
  const open = (key: string, by: HTMLElement) => {
    opener.current = by;
    change({ route: key });
  };
  const close = () => {
    change({ route: '' });
    opener.current?.focus();
  };
  if (list.items.length === 0) return <NoRoutes />;
  const shown = inOrder(chosenRoutes(list.items, { find, project }));
  const chosen = list.items.find((one) => routeKey(one) === route);
  return (
    <>
      <FindRow
        {...{ find, project }}
        label={t('routes.find')}
        help={t('routes.findHelp')}
        shown={t('routes.shown', { count: shown.length })}
        onChange={change}
      />
      <div className={route === '' ? 'fill routes' : 'fill routes open'}>
        <Panel className="route-list">
          {shown.length === 0 ? (
            <NoMatch onClear={() => change({ find: '', project: '' })} />
          ) : (
            <RouteTable routes={shown} chosen={route} onOpen={open} />
          )}
        </Panel>
        {route !== '' && <RoutePanel key={route} name={route} route={chosen} onClose={close} />}
      </div>
    </>
  );
}

function NoRoutes() {
  const { t } = useTranslation();
  return (
    <EmptyPanel
      title={t('routes.noneTitle')}
      help={t('routes.noneHelp')}
      href="/pipelines"
      link={t('routes.toPipelines')}
    />
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <Empty title={t('routes.noMatch')} help={t('routes.noMatchHelp')}>
      <Button onClick={onClear}>{t('routes.clear')}</Button>
    </Empty>
  );
}

import { Button, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'wouter';
import type { RouteList, RouteRecord } from '#common/model/route-record.ts';
import { useProjects, useStatus } from '#api/queries.ts';
import { useRoutes } from '#api/routes-queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Icon } from '#ui/icon.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { OpenApiDialog } from './openapi-dialog.tsx';
import { RoutePanel } from './route-panel.tsx';
import { RouteTable } from './route-table.tsx';
import { chosenRoutes, inOrder, routeKey, type RouteFilter, sumsOf } from './route-view.ts';
import './routes.css';

/** What is on show stands in the address: `?find=…&project=…&route=project/pipeline/node`. */
function useRoutesAddress() {
  const [search, setSearch] = useSearchParams();
  const read = (name: string) => search.get(name) ?? '';
  const change = (patch: Record<string, string>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(patch)) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  return { find: read('find'), project: read('project'), route: read('route'), change };
}

/** What this gateway offers, to whom, and how it is called. */
export function RoutesPage() {
  const { t } = useTranslation();
  const routes = useRoutes();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <PageHead
        title={t('nav.routes')}
        answer={routes.data && <Answer routes={routes.data.items} />}
        actions={
          routes.data &&
          routes.data.items.length > 0 && <Button onClick={() => setAsking(true)}>{t('routes.openApi')}</Button>
        }
      />
      {routes.isError && <ErrorNote error={routes.error} />}
      {routes.isPending && <p className="t3">{t('common.loading')}</p>}
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

function Body({ list }: { list: RouteList }) {
  const address = useRoutesAddress();
  const { find, project, route, change } = address;
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
      <FilterRow filter={{ find, project }} count={shown.length} onChange={change} />
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

interface FilterProps {
  filter: RouteFilter;
  count: number;
  onChange: (patch: Record<string, string>) => void;
}

function FilterRow({ filter, count, onChange }: FilterProps) {
  const { t } = useTranslation();
  const projects = useProjects().data ?? [];
  const options = projects.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <search className="row wrap">
      <TextInput
        className="grow"
        aria-label={t('routes.find')}
        placeholder={t('routes.find')}
        title={t('routes.findHelp')}
        leftSection={<Icon name="search" />}
        value={filter.find}
        onChange={(event) => onChange({ find: event.currentTarget.value })}
      />
      {projects.length > 1 && (
        <NativeSelect
          label={t('routes.projectFilter')}
          value={filter.project}
          options={[{ value: '', label: t('routes.everyProject') }, ...options]}
          onChange={(project) => onChange({ project })}
        />
      )}
      <output className="t2">{t('routes.shown', { count })}</output>
    </search>
  );
}

function NoRoutes() {
  const { t } = useTranslation();
  return (
    <Panel>
      <Empty title={t('routes.noneTitle')} help={t('routes.noneHelp')}>
        <Button component={Link} href="/pipelines" variant="filled">
          {t('routes.toPipelines')}
        </Button>
      </Empty>
    </Panel>
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

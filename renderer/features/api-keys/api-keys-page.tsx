import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'wouter';
import type { KeyRecord, ProjectRecord } from '#common/model/records.ts';
import { isScope, type Scope } from '#common/scopes.ts';
import { useChosenProject } from '#api/chosen-project.ts';
import { useKeyCallers } from '#api/key-queries.ts';
import { useEveryKey, type NewKey } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { FindRow } from '#ui/find-row.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { Icon } from '#ui/icon.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { ManagedNote } from '#ui/managed-note.tsx';
import { NoProject } from '#ui/no-project.tsx';
import { useNow } from '#ui/now.ts';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { Segments } from '#ui/segments.tsx';
import { SettingsTabs } from '#ui/settings-tabs.tsx';
import { useAddress } from '#ui/use-address.ts';
import './api-keys.css';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KEY_FILTERS, keysOf, type KeyFilter } from './key-filter.ts';
import { KeyTable } from './key-table.tsx';
import { successorOf } from './key-view.ts';
import { LimitsDialog } from './limits-dialog.tsx';
import { PauseDialog } from './pause-dialog.tsx';
import { ReachDialog } from './reach-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { ShownOnceDialog } from './shown-once-dialog.tsx';

/** The open dialog. The value of a new key is kept only here and is removed when its dialog closes. */
type Open =
  | { kind: 'none' }
  /** `scopes`: preselected; `route`: the one that the key is for, as `POST /orders`. */
  | { kind: 'create'; scopes?: Scope[]; route?: string }
  /** `after`: the key that the new one replaces. */
  | { kind: 'shown'; made: NewKey; after?: KeyRecord; route?: string }
  | { kind: 'revoke'; record: KeyRecord }
  | { kind: 'rotate'; record: KeyRecord }
  | { kind: 'reach'; record: KeyRecord }
  | { kind: 'limits'; record: KeyRecord }
  | { kind: 'pause'; record: KeyRecord };

export function ApiKeysPage() {
  const { t } = useTranslation();
  const allowed = usePermission('manage_keys');
  const { project, projects, error, query } = useChosenProject();
  if (!allowed) return <PageHead title={t('keys.title')} answer={t('keys.onlyKeyManagers')} />;
  if (error) return <LoadError error={error} alone />;
  if (projects === undefined)
    return (
      <>
        <PageHead title={t('keys.title')} />
        <LoadingRows of={query} />
      </>
    );
  if (project === null) return <WithoutProject />;
  return <EveryKey project={project} projects={projects} />;
}

function WithoutProject() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('keys.title')} />
      <SettingsTabs />
      <NoProject />
    </>
  );
}

interface PageProps {
  /** The project of a new key, unless another one is selected. */
  project: ProjectRecord;
  projects: ProjectRecord[];
}

function EveryKey({ project, projects }: PageProps) {
  const { t } = useTranslation();
  const keys = useEveryKey();
  const [open, setOpen] = useState<Open>(useAskedFor());
  return (
    <>
      <PageHead
        title={t('keys.title')}
        answer={keys.data && <Answer keys={keys.data} />}
        actions={
          <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setOpen({ kind: 'create' })}>
            {t('keys.create')}
          </Button>
        }
      />
      <SettingsTabs />
      <ManagedNote />
      {keys.isError && <LoadError error={keys.error} />}
      {keys.data && <KeyPanel keys={keys.data} projects={projects} onOpen={setOpen} />}
      <Dialogs open={open} keys={keys.data ?? []} project={project.id} projects={projects} onOpen={setOpen} />
    </>
  );
}

const ASKED = ['create', 'route'];

/**
 * `?create=db:read,db:write&route=POST /orders`: other pages link here to create a key with these scopes for that
 * route. Evaluated once.
 */
function useAskedFor(): Open {
  const [search, setSearch] = useSearchParams();
  const create = search.get('create');
  const route = search.get('route');
  useEffect(() => {
    if (create === null) return;
    const rest = (before: URLSearchParams) =>
      new URLSearchParams([...before].filter(([name]) => !ASKED.includes(name)));
    setSearch(rest, { replace: true });
  }, [create, setSearch]);
  if (create === null) return { kind: 'none' };
  return { kind: 'create', scopes: create.split(',').filter(isScope), ...(route !== null && { route }) };
}

interface KeyPanelProps {
  keys: KeyRecord[];
  projects: ProjectRecord[];
  onOpen: (open: Open) => void;
}

function KeyPanel({ keys, projects, onOpen }: KeyPanelProps) {
  const { t } = useTranslation();
  const traffic = useKeyCallers().data;
  const { read, change } = useAddress();
  // `?key=` is an ID. Typed text is never in the address, because users paste whole keys here.
  const linked = read('key');
  const [find, setFind] = useState(linked === '' ? '' : `slc_${linked}`);
  const [filter, setFilter] = useState<KeyFilter>(linked === '' ? 'valid' : 'all');
  const now = useNow();
  const project = read('project');
  const nameOf = (id: string) => projects.find((one) => one.id === id)?.name ?? id;
  if (keys.length === 0) return <NoKeys onCreate={() => onOpen({ kind: 'create' })} />;
  const shown = keysOf(keys, { find, filter, project }, nameOf, now);
  return (
    <Panel>
      <div className="body stack tight">
        <FindRow
          {...{ find, project }}
          label={t('keysPage.find')}
          help={t('keysPage.findHelp')}
          shown={t('keysPage.shown', { count: shown.length })}
          onChange={(patch) => ('find' in patch ? setFind(patch.find) : change(patch))}
        />
        <Segments
          label={t('keysPage.filterLabel')}
          value={filter}
          options={KEY_FILTERS.map((value) => ({ value, label: t(`keysPage.filter.${value}`) }))}
          onChange={setFilter}
        />
      </div>
      {shown.length === 0 ? (
        <Empty title={t('keysPage.noMatch')} help={t('keysPage.noMatchHelp')}>
          <Button onClick={() => (setFind(''), setFilter('all'), change({ project: '' }))}>
            {t('keysPage.showEvery')}
          </Button>
        </Empty>
      ) : (
        <KeyTable
          keys={shown}
          all={keys}
          traffic={traffic}
          projectName={projects.length > 1 && project === '' ? nameOf : null}
          onReach={(record) => onOpen({ kind: 'reach', record })}
          onPause={(record) => onOpen({ kind: 'pause', record })}
          onLimit={(record) => onOpen({ kind: 'limits', record })}
          onRevoke={(record) => onOpen({ kind: 'revoke', record })}
          onRotate={(record) => onOpen({ kind: 'rotate', record })}
        />
      )}
    </Panel>
  );
}

function NoKeys({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation();
  return (
    <Panel>
      <Empty title={t('keys.empty')} help={t('keys.emptyHelp')}>
        <Button variant="filled" onClick={onCreate}>
          {t('keys.create')}
        </Button>
      </Empty>
    </Panel>
  );
}

function Answer({ keys }: { keys: KeyRecord[] }) {
  const { t } = useTranslation();
  const valid = keys.filter((key) => key.revokedAt === null);
  const unused = valid.filter((key) => key.lastUsedAt === null).length;
  return (
    <>
      {t('keys.answer', { count: valid.length })} {unused > 0 && <b>{t('keys.unused', { count: unused })}</b>}
    </>
  );
}

/** A key with a successor is already being rotated. */
function replacedBy(record: KeyRecord, keys: readonly KeyRecord[], onRotate: () => void) {
  const successor = successorOf(record, keys);
  return successor === null ? { onRotate } : { successor };
}

interface DialogsProps {
  open: Open;
  keys: KeyRecord[];
  project: string;
  projects: readonly ProjectRecord[];
  onOpen: (open: Open) => void;
}

function Dialogs({ open, keys, project, projects, onOpen }: DialogsProps) {
  const close = () => onOpen({ kind: 'none' });
  const [, go] = useLocation();
  switch (open.kind) {
    case 'none':
      return null;
    case 'create':
      return (
        <CreateKeyDialog
          project={project}
          projects={projects}
          keys={keys}
          wanted={open.scopes ?? []}
          route={open.route}
          onMade={(made) => onOpen({ kind: 'shown', made, ...(open.route !== undefined && { route: open.route }) })}
          onClose={close}
        />
      );
    case 'shown':
      return (
        <ShownOnceDialog
          made={open.made}
          route={open.route}
          lastUsedAt={keys.find((key) => key.id === open.made.record.id)?.lastUsedAt ?? null}
          onClose={() => {
            close();
            // A successor: from here on both keys are monitored.
            if (open.after !== undefined) go(`/settings/api-keys/${open.after.project}/${open.after.id}/rotation`);
          }}
        />
      );
    case 'revoke':
      return (
        <RevokeDialog
          record={keys.find((key) => key.id === open.record.id) ?? open.record}
          {...replacedBy(open.record, keys, () => onOpen({ kind: 'rotate', record: open.record }))}
          onClose={close}
        />
      );
    case 'rotate':
      return (
        <RotateDialog
          record={open.record}
          onMade={(made) => onOpen({ kind: 'shown', made, after: open.record })}
          onClose={close}
        />
      );
    case 'limits':
      return <LimitsDialog record={open.record} onClose={close} />;
    case 'pause':
      return <PauseDialog record={open.record} onClose={close} />;
    case 'reach':
      return <ReachDialog record={open.record} onClose={close} />;
  }
}

import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'wouter';
import type { KeyRecord, ProjectRecord } from '#common/model/records.ts';
import { isScope, type Scope } from '#common/scopes.ts';
import { useChosenProject } from '#api/chosen-project.ts';
import { useKeyCallers } from '#api/key-queries.ts';
import { useKeys, type NewKey } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { LoadError } from '#ui/load-error.tsx';
import { Icon } from '#ui/icon.tsx';
import { NoProject } from '#ui/no-project.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { ProjectPicker } from '#ui/project-picker.tsx';
import { SettingsTabs } from '#ui/settings-tabs.tsx';
import './api-keys.css';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyTable } from './key-table.tsx';
import { successorOf } from './key-view.ts';
import { ReachDialog } from './reach-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { ShownOnceDialog } from './shown-once-dialog.tsx';

/** The open dialog. The new key's value is kept only here and is removed when its dialog closes. */
type Open =
  | { kind: 'none' }
  /** `scopes`: ticked already. */
  | { kind: 'create'; scopes?: Scope[] }
  /** `after`: the key that the new one is to follow. */
  | { kind: 'shown'; made: NewKey; after?: KeyRecord }
  | { kind: 'revoke'; record: KeyRecord }
  | { kind: 'rotate'; record: KeyRecord }
  | { kind: 'reach'; record: KeyRecord };

export function ApiKeysPage() {
  const { t } = useTranslation();
  const allowed = usePermission('manage_keys');
  const { project, projects, choose, error } = useChosenProject();
  if (!allowed) return <PageHead title={t('keys.title')} answer={t('keys.onlyKeyManagers')} />;
  if (error) return <LoadError error={error} alone />;
  if (projects === undefined) return <PageHead title={t('keys.title')} answer={t('common.loading')} />;
  if (project === null) return <WithoutProject />;
  return <KeysOfProject key={project.id} project={project} projects={projects} choose={choose} />;
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
  project: ProjectRecord;
  projects: ProjectRecord[];
  choose: (id: string) => void;
}

function KeysOfProject({ project, projects, choose }: PageProps) {
  const { t } = useTranslation();
  const keys = useKeys(project.id);
  const [open, setOpen] = useState<Open>(useAskedFor());
  const create = (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setOpen({ kind: 'create' })}>
      {t('keys.create')}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t('keys.title')}
        answer={keys.data && <Answer keys={keys.data} project={project} />}
        actions={
          <>
            <ProjectPicker {...{ project, projects, choose }} />
            {create}
          </>
        }
      />
      <SettingsTabs />
      {keys.isError && <LoadError error={keys.error} />}
      <KeyPanel project={project.id} keys={keys.data} onOpen={setOpen} />
      <Dialogs open={open} keys={keys.data ?? []} project={project.id} onOpen={setOpen} />
    </>
  );
}

/** `?create=db:read,db:write`: another page leads here to make a key with these scopes. Asked once. */
function useAskedFor(): Open {
  const [search, setSearch] = useSearchParams();
  const create = search.get('create');
  useEffect(() => {
    if (create === null) return;
    const rest = (before: URLSearchParams) => new URLSearchParams([...before].filter(([name]) => name !== 'create'));
    setSearch(rest, { replace: true });
  }, [create, setSearch]);
  return create === null ? { kind: 'none' } : { kind: 'create', scopes: create.split(',').filter(isScope) };
}

interface KeyPanelProps {
  project: string;
  keys: KeyRecord[] | undefined;
  onOpen: (open: Open) => void;
}

function KeyPanel({ project, keys, onOpen }: KeyPanelProps) {
  const { t } = useTranslation();
  const traffic = useKeyCallers(project).data;
  if (keys === undefined) return null;
  if (keys.length === 0) {
    return (
      <Panel>
        <Empty title={t('keys.empty')} help={t('keys.emptyHelp')}>
          <Button variant="filled" onClick={() => onOpen({ kind: 'create' })}>
            {t('keys.create')}
          </Button>
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel>
      <KeyTable
        keys={keys}
        traffic={traffic}
        onReach={(record) => onOpen({ kind: 'reach', record })}
        onRevoke={(record) => onOpen({ kind: 'revoke', record })}
        onRotate={(record) => onOpen({ kind: 'rotate', record })}
      />
    </Panel>
  );
}

function Answer({ keys, project }: { keys: KeyRecord[]; project: ProjectRecord }) {
  const { t } = useTranslation();
  const valid = keys.filter((key) => key.revokedAt === null);
  const unused = valid.filter((key) => key.lastUsedAt === null).length;
  return (
    <>
      {t('keys.answer', { count: valid.length, project: project.name })}{' '}
      {unused > 0 && <b>{t('keys.unused', { count: unused })}</b>}
    </>
  );
}

/** A key that has a successor is being rotated already. */
function replacedBy(record: KeyRecord, keys: readonly KeyRecord[], onRotate: () => void) {
  const successor = successorOf(record, keys);
  return successor === null ? { onRotate } : { successor };
}

interface DialogsProps {
  open: Open;
  keys: KeyRecord[];
  project: string;
  onOpen: (open: Open) => void;
}

function Dialogs({ open, keys, project, onOpen }: DialogsProps) {
  const close = () => onOpen({ kind: 'none' });
  const [, go] = useLocation();
  const show = (made: NewKey) => onOpen({ kind: 'shown', made });
  switch (open.kind) {
    case 'none':
      return null;
    case 'create':
      return (
        <CreateKeyDialog
          project={project}
          taken={keys.map((key) => key.name)}
          wanted={open.scopes ?? []}
          onMade={show}
          onClose={close}
        />
      );
    case 'shown':
      return (
        <ShownOnceDialog
          made={open.made}
          lastUsedAt={keys.find((key) => key.id === open.made.record.id)?.lastUsedAt ?? null}
          onClose={() => {
            close();
            // A successor: from here on both keys are watched.
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
    case 'reach':
      return <ReachDialog record={open.record} onClose={close} />;
  }
}

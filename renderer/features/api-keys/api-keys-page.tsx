import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'wouter';
import type { KeyRecord, ProjectRecord } from '#common/model/records.ts';
import { useKeys, useProjects, type NewKey } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Icon } from '#ui/icon.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyTable } from './key-table.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { ShownOnceDialog } from './shown-once-dialog.tsx';

/** Which dialog stands open. The new key's value lives here alone and is gone when its dialog closes. */
type Open =
  | { kind: 'none' }
  | { kind: 'create' }
  | { kind: 'shown'; made: NewKey }
  | { kind: 'revoke'; record: KeyRecord }
  | { kind: 'rotate'; record: KeyRecord };

export function ApiKeysPage() {
  const { t } = useTranslation();
  const allowed = usePermission('access_settings');
  const projects = useProjects();
  if (!allowed) return <PageHead title={t('keys.title')} answer={t('keys.onlyAdministrators')} />;
  if (projects.isError) return <ErrorNote error={projects.error} />;
  if (projects.data === undefined) return <PageHead title={t('keys.title')} />;
  if (projects.data.length === 0) return <NoProject />;
  return <KeysOfProject projects={projects.data} />;
}

function NoProject() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('keys.title')} />
      <Panel>
        <Empty title={t('pipelines.noProject')} help={t('pipelines.noProjectHelp')}>
          <Button component={Link} href="/projects/new" variant="filled">
            {t('pipelines.createProject')}
          </Button>
        </Empty>
      </Panel>
    </>
  );
}

function useChosenProject(projects: ProjectRecord[]): [ProjectRecord, (id: string) => void] {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('project');
  const chosen = projects.find((project) => project.id === asked) ?? projects[0];
  if (chosen === undefined) throw new Error('a page for keys needs a project');
  return [chosen, (id) => setSearch({ project: id })];
}

function KeysOfProject({ projects }: { projects: ProjectRecord[] }) {
  const { t } = useTranslation();
  const [project, choose] = useChosenProject(projects);
  const keys = useKeys(project.id);
  const [open, setOpen] = useState<Open>({ kind: 'none' });
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
        actions={create}
      />
      {projects.length > 1 && (
        <div className="row">
          <span className="t2">{t('common.project')}</span>
          <NativeSelect
            label={t('common.project')}
            value={project.id}
            onChange={choose}
            options={projects.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      )}
      {keys.isError && <ErrorNote error={keys.error} />}
      <KeyPanel keys={keys.data} onOpen={setOpen} />
      <Dialogs open={open} keys={keys.data ?? []} project={project.id} onOpen={setOpen} />
    </>
  );
}

function KeyPanel({ keys, onOpen }: { keys: KeyRecord[] | undefined; onOpen: (open: Open) => void }) {
  const { t } = useTranslation();
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

interface DialogsProps {
  open: Open;
  keys: KeyRecord[];
  project: string;
  onOpen: (open: Open) => void;
}

function Dialogs({ open, keys, project, onOpen }: DialogsProps) {
  const close = () => onOpen({ kind: 'none' });
  const show = (made: NewKey) => onOpen({ kind: 'shown', made });
  switch (open.kind) {
    case 'none':
      return null;
    case 'create':
      return <CreateKeyDialog project={project} taken={keys.map((key) => key.name)} onMade={show} onClose={close} />;
    case 'shown':
      return (
        <ShownOnceDialog
          made={open.made}
          lastUsedAt={keys.find((key) => key.id === open.made.record.id)?.lastUsedAt ?? null}
          onClose={close}
        />
      );
    case 'revoke':
      return (
        <RevokeDialog
          record={keys.find((key) => key.id === open.record.id) ?? open.record}
          onRotate={() => onOpen({ kind: 'rotate', record: open.record })}
          onClose={close}
        />
      );
    case 'rotate':
      return <RotateDialog record={open.record} onMade={show} onClose={close} />;
  }
}

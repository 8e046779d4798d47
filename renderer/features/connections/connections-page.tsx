import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectRecord } from '#common/model/records.ts';
import { useChosenProject } from '#api/chosen-project.ts';
import { useConnections, type ConnectionAnswer, type ShownConnection } from '#api/connections-queries.ts';
import { usePermission } from '#api/session.ts';
import { LoadError } from '#ui/load-error.tsx';
import { Icon } from '#ui/icon.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { Note } from '#ui/note.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { EmptyPanel } from '#ui/empty-panel.tsx';
import { ProjectPicker } from '#ui/project-picker.tsx';
import { SettingsTabs } from '#ui/settings-tabs.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';
import { ConnectionTable } from './connection-table.tsx';
import { DeleteConnectionDialog } from './delete-connection-dialog.tsx';
import { useProjectParts } from './use-project-parts.ts';
import './connections.css';

export function ConnectionsPage() {
  const { t } = useTranslation();
  const { project, projects, choose, error } = useChosenProject();
  if (error !== null) return <LoadError error={error} alone />;
  if (projects === undefined) return <PageHead title={t('settingsTabs.connections')} />;
  if (project === null) return <NoProject />;
  return (
    <Connections
      key={project.id}
      project={project}
      picker={<ProjectPicker project={project} projects={projects} choose={choose} />}
    />
  );
}

function NoProject() {
  const { t } = useTranslation();
  const mayCreate = usePermission('edit_pipelines');
  return (
    <>
      <PageHead title={t('settingsTabs.connections')} />
      <Tabs />
      <EmptyPanel
        title={t('connections.noProject')}
        help={t('connections.noProjectHelp')}
        href="/projects/new"
        link={mayCreate ? t('connections.createProject') : null}
      />
    </>
  );
}

/** Users who may only read reach this page through a link and have no other settings. */
function Tabs() {
  const { t } = useTranslation();
  const allowed = usePermission('access_settings');
  return allowed ? <SettingsTabs /> : <Note>{t('connections.only')}</Note>;
}

type Open =
  | { kind: 'none' }
  | { kind: 'form'; connection: ShownConnection | null }
  | { kind: 'delete'; connection: ShownConnection };

/** The results of the last tests, by ID, while the page is open. */
export type Answers = Readonly<Record<string, ConnectionAnswer>>;

function Connections({ project, picker }: { project: ProjectRecord; picker: ReactNode }) {
  const { t } = useTranslation();
  const allowed = usePermission('access_settings');
  const connections = useConnections(project.id);
  const parts = useProjectParts(project.id);
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const [notice, setNotice] = useState<Notice | null>(null);
  const [answers, setAnswers] = useState<Answers>({});
  const all = connections.data;
  const close = () => setOpen({ kind: 'none' });
  const done = (text: string) => {
    setNotice({ kind: 'done', text });
    close();
  };
  return (
    <>
      <PageHead
        title={t('settingsTabs.connections')}
        answer={all && <Answer connections={all} project={project} answers={answers} />}
        actions={
          <>
            {picker}
            {allowed && (
              <Button
                variant="filled"
                leftSection={<Icon name="plus" />}
                onClick={() => setOpen({ kind: 'form', connection: null })}
              >
                {t('connections.create')}
              </Button>
            )}
          </>
        }
      />
      <Tabs />
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      <LoadingRows of={connections} />
      {all && (
        <ConnectionTable
          project={project.id}
          connections={all}
          parts={parts}
          answers={answers}
          onAnswer={(id, answer) => setAnswers((before) => ({ ...before, [id]: answer }))}
          onChange={(connection) => setOpen({ kind: 'form', connection })}
          onDelete={(connection) => setOpen({ kind: 'delete', connection })}
          onNotice={setNotice}
        />
      )}
      {open.kind === 'form' && (
        <ConnectionDialog
          project={project.id}
          before={open.connection}
          taken={(all ?? []).map(({ id }) => id)}
          onDone={done}
          onClose={close}
        />
      )}
      {open.kind === 'delete' && (
        <DeleteConnectionDialog
          project={project.id}
          connection={open.connection}
          parts={parts}
          onDone={done}
          onClose={close}
        />
      )}
    </>
  );
}

function Answer({
  connections,
  project,
  answers,
}: {
  connections: ShownConnection[];
  project: ProjectRecord;
  answers: Answers;
}) {
  const { t } = useTranslation();
  const failing = connections.filter(({ id }) => answers[id]?.ok === false).length;
  return (
    <>
      {t('connections.answer', { count: connections.length, project: project.name })}{' '}
      {failing > 0 && <b>{t('connections.failing', { count: failing })}</b>}
    </>
  );
}

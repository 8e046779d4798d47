import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { PipelineRecord, ProjectRecord } from '#common/model/records.ts';
import { usePipelines, useProjects } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import type { SampleProject } from '#api/setup-queries.ts';
import { Icon } from '#ui/icon.tsx';
import { ImportDialog } from '#ui/import-dialog.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { SampleButton } from '#ui/sample-button.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { Ago } from '#ui/time.tsx';
import { TwoLines } from '#ui/two-lines.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { ProjectMenu, type ProjectAct } from './project-menu.tsx';
import { RenameDialog } from './rename-dialog.tsx';

/** The projects of this appliance: create, rename, export, import, apply and delete. */
export function ProjectsPage() {
  const { t } = useTranslation();
  const projects = useProjects();
  const mayEdit = usePermission('edit_pipelines');
  const [act, setAct] = useState<ProjectAct | null>(null);
  const [importing, setImporting] = useState(false);
  const [notice, setNotice] = useState<Notice | null>(null);
  const list = projects.data;
  const close = () => setAct(null);
  const done = (text: string) => {
    setAct(null);
    setNotice({ kind: 'done', text });
  };
  return (
    <>
      <PageHead
        title={t('projectFiles.title')}
        answer={list && list.length > 0 && t('projectFiles.answer', { count: list.length })}
        actions={mayEdit && <HeadActions onImport={() => setImporting(true)} />}
      />
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      <LoadingRows of={projects} />
      {list && (
        <Panel>
          {list.length === 0 ? (
            <NoProjects mayEdit={mayEdit} onMade={(made) => done(sampleText(t, made))} />
          ) : (
            <ProjectTable list={list} onAct={setAct} />
          )}
        </Panel>
      )}
      {importing && <ImportDialog kind="project" onClose={() => setImporting(false)} />}
      {act?.kind === 'apply' && <ApplyDialog project={act.project} onDone={done} onClose={close} />}
      {act?.kind === 'rename' && <RenameDialog project={act.project} onDone={done} onClose={close} />}
      {act?.kind === 'delete' && <DeleteDialog project={act.project} onDone={done} onClose={close} />}
    </>
  );
}

function HeadActions({ onImport }: { onImport: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <Button leftSection={<Icon name="upload" />} onClick={onImport}>
        {t('projectFiles.import.project')}
      </Button>
      <Button component={Link} href="/projects/new" variant="filled" leftSection={<Icon name="plus" />}>
        {t('projects.title')}
      </Button>
    </>
  );
}

function NoProjects({ mayEdit, onMade }: { mayEdit: boolean; onMade: (made: SampleProject) => void }) {
  const { t } = useTranslation();
  return (
    <Empty
      title={t('projectFiles.empty')}
      help={mayEdit ? t('projectFiles.emptyHelp') : t('projectFiles.emptyHelpView')}
    >
      {mayEdit && <SampleButton onMade={onMade} />}
    </Empty>
  );
}

function sampleText(t: TFunction, { started, notStarted }: SampleProject): string {
  const total = started.length + notStarted.length;
  const refused = notStarted.map((one) => t('projectFiles.sampleRefused', one));
  return [t('projectFiles.sampleMade', { started: started.length, total }), ...refused].join(' ');
}

function ProjectTable({ list, onAct }: { list: ProjectRecord[]; onAct: (act: ProjectAct) => void }) {
  const { t } = useTranslation();
  const pipelines = usePipelines().data ?? [];
  return (
    <table>
      <TableHead
        columns={[
          t('projectFiles.project'),
          { text: t('projectFiles.pipelines'), className: 'number-cell' },
          t('projectFiles.created'),
        ]}
        actions={t('projectFiles.actions')}
      />
      <tbody>
        {list.map((project) => (
          <tr key={project.id}>
            <td>
              <Link href={`/pipelines?project=${project.id}`} className="row-link">
                <TwoLines name={project.name} id={project.id} />
              </Link>
            </td>
            <Counts of={pipelines.filter((pipeline) => pipeline.project === project.id)} />
            <td>
              <Ago iso={project.createdAt} />
            </td>
            <td className="number-cell">
              <ProjectMenu project={project} onAct={onAct} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Counts({ of }: { of: PipelineRecord[] }) {
  const { t } = useTranslation();
  const running = of.filter((pipeline) => pipeline.state !== 'stopped').length;
  return (
    <td className="number-cell">
      <span className="two">
        {of.length}
        {running > 0 && <small>{t('projectFiles.running', { count: running })}</small>}
      </span>
    </td>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { PipelineRecord } from '#common/model/records.ts';
import { usePipelines, useProjects } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { Icon } from '#ui/icon.tsx';
import { ImportPipelineButton } from '#ui/import-pipeline-button.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { PipelineStateChip } from '#ui/pipeline-state.tsx';
import { SampleButton } from '#ui/sample-button.tsx';
import { RouteName } from '#ui/route-name.tsx';
import { routesOf } from '#ui/routes-of.ts';
import { Ago } from '#ui/time.tsx';
import { revisionText } from './revision-text.ts';
import { TwoLines } from '#ui/two-lines.tsx';
import { RunControls } from './run-controls.tsx';
import { RunFault, type RunFaultState } from './run-fault.tsx';

export function PipelinesPage() {
  const { t } = useTranslation();
  const pipelines = usePipelines();
  const mayEdit = usePermission('edit_pipelines');
  const [fault, setFault] = useState<RunFaultState | null>(null);
  const list = pipelines.data;
  return (
    <>
      <PageHead
        title={t('pipelines.title')}
        answer={list && list.length > 0 && <Answer list={list} />}
        actions={mayEdit && <CreateLinks />}
      />
      {pipelines.isError && <ErrorNote error={pipelines.error} />}
      {fault && <RunFault fault={fault} />}
      {list && <Panel>{list.length === 0 ? <EmptyList /> : <PipelineTable list={list} onFault={setFault} />}</Panel>}
    </>
  );
}

function Answer({ list }: { list: PipelineRecord[] }) {
  const { t } = useTranslation();
  const failed = list.filter((pipeline) => pipeline.state === 'failed').length;
  const running = list.filter((pipeline) => pipeline.state === 'running').length;
  return (
    <>
      {t('pipelines.answer', { running, count: list.length })}{' '}
      {failed > 0 && <b>{t('pipelines.failedCount', { count: failed })}</b>}
    </>
  );
}

function CreateLinks() {
  const { t } = useTranslation();
  const projects = useProjects().data ?? [];
  return (
    <>
      <Button component={Link} href="/projects">
        {t('projectFiles.title')}
      </Button>
      <ImportPipelineButton />
      <Button
        component={Link}
        href={projects.length === 0 ? '/projects/new' : '/pipelines/new'}
        variant="filled"
        leftSection={<Icon name="plus" />}
      >
        {projects.length === 0 ? t('pipelines.createProject') : t('pipelines.create')}
      </Button>
    </>
  );
}

function EmptyList() {
  const { t } = useTranslation();
  const projects = useProjects().data;
  const mayEdit = usePermission('edit_pipelines');
  if (projects?.length === 0) {
    return (
      <Empty title={t('pipelines.noProject')} help={t('pipelines.noProjectHelp')}>
        {mayEdit && <SampleButton />}
      </Empty>
    );
  }
  return <Empty title={t('pipelines.empty')} help={t('pipelines.emptyHelp')} />;
}

function PipelineTable({ list, onFault }: { list: PipelineRecord[]; onFault: (fault: RunFaultState | null) => void }) {
  const { t } = useTranslation();
  return (
    <table>
      <thead>
        <tr>
          <th>{t('pipelines.name')}</th>
          <th>{t('pipelines.routes')}</th>
          <th>{t('pipelines.state')}</th>
          <th>{t('pipelines.revision')}</th>
          <th className="wide">{t('pipelines.changed')}</th>
          <th>
            <span className="visually-hidden">{t('pipelines.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {list.map((pipeline) => (
          <PipelineRow key={`${pipeline.project}/${pipeline.id}`} pipeline={pipeline} onFault={onFault} />
        ))}
      </tbody>
    </table>
  );
}

function PipelineRow({
  pipeline,
  onFault,
}: {
  pipeline: PipelineRecord;
  onFault: (fault: RunFaultState | null) => void;
}) {
  const { t } = useTranslation();
  const routes = routesOf(pipeline);
  return (
    <tr className={pipeline.state === 'failed' ? 'abnormal' : ''}>
      <td>
        <Link href={`/pipelines/${pipeline.project}/${pipeline.id}`} className="row-link">
          <TwoLines name={pipeline.name} id={`${pipeline.project} / ${pipeline.id}`} />
        </Link>
      </td>
      <td>
        {routes.length === 0 && <span className="t3">{t('pipelines.noRoute')}</span>}
        {routes.map((route) => (
          <div key={route.method + route.pattern}>
            <RouteName method={route.method} pattern={route.pattern} />
          </div>
        ))}
      </td>
      <td>
        <PipelineStateChip state={pipeline.state} />
      </td>
      <td>{revisionText(t, pipeline)}</td>
      <td className="wide">
        <span className="two">
          <Ago iso={pipeline.updatedAt} />
          <small>{pipeline.updatedBy}</small>
        </span>
      </td>
      <td className="number-cell">
        <RunControls pipeline={pipeline} onFault={onFault} />
      </td>
    </tr>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { PipelineRecord } from '#common/model/records.ts';
import { usePipelines, useProjects } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { DeletePipelineDialog } from '#ui/delete-pipeline-dialog.tsx';
import { FindRow } from '#ui/find-row.tsx';
import { Icon } from '#ui/icon.tsx';
import { ImportPipelineButton } from '#ui/import-pipeline-button.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { ManagedNote } from '#ui/managed-note.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { SampleButton } from '#ui/sample-button.tsx';
import { useAddress } from '#ui/use-address.ts';
import { PipelineTable } from './pipeline-table.tsx';
import { DuplicateDialog } from './duplicate-dialog.tsx';
import type { PipelineAct } from './pipeline-menu.tsx';
import { chosenPipelines } from './pipeline-view.ts';
import { RunFault, type RunFaultState } from './run-fault.tsx';
import './pipelines.css';

export function PipelinesPage() {
  const { t } = useTranslation();
  const pipelines = usePipelines();
  const mayEdit = usePermission('edit_pipelines');
  const [fault, setFault] = useState<RunFaultState | null>(null);
  const [act, setAct] = useState<PipelineAct | null>(null);
  const close = () => setAct(null);
  const list = pipelines.data;
  return (
    <>
      <PageHead
        ofGateway
        title={t('pipelines.title')}
        answer={list && list.length > 0 && <Answer list={list} />}
        actions={mayEdit && <CreateLinks />}
      />
      <ManagedNote />
      <LoadingRows of={pipelines} />
      {fault && <RunFault fault={fault} />}
      {list && list.length > 0 && <Body list={list} onAct={setAct} onFault={setFault} />}
      {list?.length === 0 && (
        <Panel>
          <EmptyList />
        </Panel>
      )}
      {act?.kind === 'duplicate' && <DuplicateDialog pipeline={act.pipeline} onClose={close} />}
      {act?.kind === 'delete' && <DeletePipelineDialog pipeline={act.pipeline} onDone={close} onClose={close} />}
    </>
  );
}

interface BodyProps {
  list: readonly PipelineRecord[];
  onAct: (act: PipelineAct) => void;
  onFault: (fault: RunFaultState | null) => void;
}

/** The shown selection is part of the address: `?find=…&project=…`. */
function Body({ list, onAct, onFault }: BodyProps) {
  const { t } = useTranslation();
  const { read, change } = useAddress();
  const filter = { find: read('find'), project: read('project') };
  const shown = chosenPipelines(list, filter);
  return (
    <>
      <FindRow
        {...filter}
        label={t('pipelines.find')}
        help={t('pipelines.findHelp')}
        shown={t('pipelines.shown', { count: shown.length })}
        onChange={change}
      />
      <div className="fill pipelines">
        <Panel className="pipeline-list">
          {shown.length === 0 ? (
            <Empty title={t('pipelines.noMatch')} help={t('pipelines.noMatchHelp')}>
              <Button onClick={() => change({ find: '', project: '' })}>{t('pipelines.clear')}</Button>
            </Empty>
          ) : (
            <PipelineTable list={shown} onAct={onAct} onFault={onFault} />
          )}
        </Panel>
      </div>
    </>
  );
}

function Answer({ list }: { list: readonly PipelineRecord[] }) {
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

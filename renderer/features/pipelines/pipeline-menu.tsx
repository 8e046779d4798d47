import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { PipelineRecord } from '#common/model/records.ts';
import { exportPipelinePath } from '#api/pipeline-queries.ts';
import { usePermission } from '#api/session.ts';
import { RowMenu } from '#ui/row-menu.tsx';
import { useDownload } from '#ui/use-download.ts';
import { draftWaits, useStart } from './run-controls.tsx';
import type { RunFaultState } from './run-fault.tsx';

export interface PipelineAct {
  kind: 'duplicate' | 'delete';
  pipeline: PipelineRecord;
}

interface Props {
  pipeline: PipelineRecord;
  onAct: (act: PipelineAct) => void;
  onFault: (fault: RunFaultState | null) => void;
}

/** The actions that this user may perform on a pipeline. */
export function PipelineMenu({ pipeline, onAct, onFault }: Props) {
  const { t } = useTranslation();
  const download = useDownload();
  const [, go] = useLocation();
  const mayEdit = usePermission('edit_pipelines');
  const mayRun = usePermission('run_pipelines');
  const { begin } = useStart({ pipeline, onFault });
  const { project, id, name, revision } = pipeline;
  const runs = pipeline.state !== 'stopped';
  return (
    <RowMenu label={t('pipelineList.actionsFor', { name })}>
      <Menu.Item onClick={() => go(`/pipelines/${project}/${id}`)}>{t('pipelineList.open')}</Menu.Item>
      {mayRun && draftWaits(pipeline) && (
        <Menu.Item onClick={begin}>{t('pipelineList.startDraft', { revision })}</Menu.Item>
      )}
      {mayEdit && (
        <Menu.Item onClick={() => onAct({ kind: 'duplicate', pipeline })}>{t('pipelineList.duplicate')}</Menu.Item>
      )}
      <Menu.Item onClick={() => download(exportPipelinePath(project, id))}>{t('editorDock.export')}</Menu.Item>
      {mayEdit && <Menu.Divider />}
      {mayEdit && (
        <Menu.Item onClick={() => onAct({ kind: 'delete', pipeline })} disabled={runs}>
          {runs ? t('editorDock.deleteRuns') : t('editorDock.delete')}
        </Menu.Item>
      )}
    </RowMenu>
  );
}

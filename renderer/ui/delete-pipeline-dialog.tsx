import { useTranslation } from 'react-i18next';
import type { PipelineRecord } from '#common/model/records.ts';
import { useDeletePipeline } from '#api/pipeline-queries.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface Props {
  pipeline: PipelineRecord;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before a stopped pipeline is deleted with all its revisions. */
export function DeletePipelineDialog({ pipeline, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const remove = useDeletePipeline();
  const { name } = pipeline;
  return (
    <ConfirmDialog
      title={t('editorDock.deleteTitle', { name })}
      tick={t('editorDock.deleteTick')}
      keep={t('editorDock.deleteKeep')}
      act={t('editorDock.delete')}
      call={remove}
      onConfirm={() => remove.mutate(pipeline, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>{t('editorDock.deleteText')}</p>
      <p className="t2">{t('editorDock.deleteGentle')}</p>
    </ConfirmDialog>
  );
}

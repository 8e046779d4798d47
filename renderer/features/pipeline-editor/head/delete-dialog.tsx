import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { useDeletePipeline } from '#api/pipeline-queries.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { useEditorContext } from '../editor-context.tsx';

export function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { record } = useEditorContext();
  const [, go] = useLocation();
  const remove = useDeletePipeline();
  const { name } = record;
  return (
    <ConfirmDialog
      title={t('editorDock.deleteTitle', { name })}
      tick={t('editorDock.deleteTick')}
      keep={t('editorDock.deleteKeep')}
      act={t('editorDock.delete')}
      call={remove}
      onConfirm={() => remove.mutate(record, { onSuccess: () => go('/pipelines') })}
      onClose={onClose}
    >
      <p>{t('editorDock.deleteText')}</p>
      <p className="t2">{t('editorDock.deleteGentle')}</p>
    </ConfirmDialog>
  );
}

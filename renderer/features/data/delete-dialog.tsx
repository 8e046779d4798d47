import { useTranslation } from 'react-i18next';
import { useDeleteFile, useDeleteVariable } from '#api/data-queries.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import type { NoticeProps } from '#ui/dialog-props.ts';

interface Props extends NoticeProps {
  project: string;
  /** Of a file the path. */
  name: string;
}

export function DeleteFileDialog(props: Props) {
  return <DeleteDialog {...props} family="files" remove={useDeleteFile(props.project)} />;
}

export function DeleteVariableDialog(props: Props) {
  return <DeleteDialog {...props} family="variables" remove={useDeleteVariable(props.project)} />;
}

interface DeleteProps extends Props {
  family: 'files' | 'variables';
  remove: ReturnType<typeof useDeleteFile>;
}

function DeleteDialog({ family, name, remove, onNotice, onClose }: DeleteProps) {
  const { t } = useTranslation();
  const values = { name, path: name };
  const done = () => {
    onNotice({ kind: 'done', text: t(`data.${family}.deleted`, values) });
    onClose();
  };
  return (
    <ConfirmDialog
      title={t(`data.${family}.deleteTitle`, values)}
      keep={t(`data.${family}.keep`)}
      act={t(`data.${family}.delete`)}
      call={remove}
      onConfirm={() => remove.mutate(name, { onSuccess: done })}
      onClose={onClose}
    >
      <p>{t(`data.${family}.deleteWhat`)}</p>
    </ConfirmDialog>
  );
}

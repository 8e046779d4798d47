import { useTranslation } from 'react-i18next';
import type { TagDefinition } from '#common/model/tag.ts';
import { useDeleteTag } from '#api/data-queries.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import type { Notice } from '#ui/notice-line.tsx';
import { UserList } from './user-list.tsx';
import type { User } from './users.ts';

interface Props {
  project: string;
  tag: TagDefinition;
  users: readonly User[];
  onNotice: (notice: Notice) => void;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteTagDialog({ project, tag: { path }, users, onNotice, onDeleted, onClose }: Props) {
  const { t } = useTranslation();
  const remove = useDeleteTag(project);
  const act = () =>
    remove.mutate(path, {
      onSuccess: () => {
        onNotice({ kind: 'done', text: t('data.tags.deleted', { path }) });
        onDeleted();
      },
    });
  return (
    <ConfirmDialog
      title={t('data.tags.deleteTitle', { path })}
      tick={t('data.tags.deleteTick')}
      keep={t('data.tags.keep')}
      act={t('data.tags.delete')}
      call={remove}
      onConfirm={act}
      onClose={onClose}
    >
      <p>{t('data.tags.deleteWhat')}</p>
      <UserList project={project} users={users} none={t('data.users.noneTag')} />
    </ConfirmDialog>
  );
}

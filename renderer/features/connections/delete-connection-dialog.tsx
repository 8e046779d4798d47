import { useTranslation } from 'react-i18next';
import { useDeleteConnection, type ShownConnection } from '#api/connections-queries.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { confirmTexts } from '#ui/confirm-texts.ts';
import { InUseDialog } from '#ui/in-use-dialog.tsx';
import type { DoneProps } from '#ui/dialog-props.ts';
import { usersOf, type ConnectionUser, type ProjectParts } from './connection-users.ts';
import { ConnectionUserList } from './connection-users-text.tsx';

interface Props extends DoneProps {
  project: string;
  connection: ShownConnection;
  parts: ProjectParts;
}

export function DeleteConnectionDialog({ project, connection, parts, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const users = usersOf(connection.id, parts);
  const name = connection.name || connection.id;
  const blocking = users.filter(({ blocks }) => blocks);
  if (blocking.length === 0) return <Confirm {...{ project, name, users, onDone, onClose }} id={connection.id} />;
  return (
    <InUseDialog
      title={t('connections.deleting.title', { name })}
      text={t('connections.deleting.used')}
      keep={t('connections.deleting.keep')}
      onClose={onClose}
    >
      <ConnectionUserList users={blocking} />
    </InUseDialog>
  );
}

interface ConfirmProps extends Omit<Props, 'connection' | 'parts'> {
  id: string;
  name: string;
  users: ConnectionUser[];
}

function Confirm({ project, id, name, users, onDone, onClose }: ConfirmProps) {
  const { t } = useTranslation();
  const remove = useDeleteConnection(project);
  return (
    <ConfirmDialog
      {...confirmTexts(t, 'connections.deleting', name)}
      call={remove}
      onConfirm={() => remove.mutate(id, { onSuccess: () => onDone(t('connections.deleted', { name })) })}
      onClose={onClose}
    >
      <p>
        <b>{users.length === 0 ? t('connections.deleting.unused') : t('connections.deleting.stopped')}</b>
      </p>
      {users.length > 0 && <ConnectionUserList users={users} />}
      <p>{t('connections.deleting.what')}</p>
    </ConfirmDialog>
  );
}

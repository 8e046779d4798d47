import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PERMISSIONS, type RoleRecord, type UserRecord } from '#common/model/records.ts';
import { Icon } from '#ui/icon.tsx';
import { Panel } from '#ui/panel.tsx';
import { ListTable } from '#ui/list-table.tsx';

interface Props {
  roles: RoleRecord[];
  people: UserRecord[];
  /** Null: a new one. */
  onOpen: (role: RoleRecord | null) => void;
}

/** Each role with its permissions as text. Built-in ones cannot be changed. */
export function RoleTable({ roles, people, onOpen }: Props) {
  const { t } = useTranslation();
  return (
    <Panel
      title={t('people.roleList')}
      className="with-controls"
      side={
        <Button leftSection={<Icon name="plus" />} onClick={() => onOpen(null)}>
          {t('people.makeRole')}
        </Button>
      }
    >
      <ListTable
        columns={[t('people.role'), t('people.may'), { text: t('people.holders'), className: 'number-cell' }]}
        actions={t('people.actionsShort')}
      >
        {roles.map((role) => (
          <RoleRow key={role.id} role={role} people={people} onOpen={onOpen} />
        ))}
      </ListTable>
    </Panel>
  );
}

function RoleRow({ role, people, onOpen }: { role: RoleRecord } & Omit<Props, 'roles'>) {
  const { t } = useTranslation();
  const allowed = PERMISSIONS.filter((permission) => role.permissions.includes(permission));
  return (
    <tr>
      <td>
        <span className="strong">{role.name}</span>{' '}
        {role.builtIn && <span className="t3">({t('people.builtIn')})</span>}
      </td>
      <td>{allowed.map((one) => t(`people.permission.${one}`)).join(', ') || t('people.mayNothing')}</td>
      <td className="number-cell">{people.filter((person) => person.roles.includes(role.name)).length}</td>
      <td className="number-cell tight-cell">
        {!role.builtIn && (
          <Button
            variant="subtle"
            aria-label={t('people.changeRoleNamed', { name: role.name })}
            onClick={() => onOpen(role)}
          >
            {t('people.changeRole')}
          </Button>
        )}
      </td>
    </tr>
  );
}

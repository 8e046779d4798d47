import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PERMISSIONS, type Permission, type RoleRecord, type UserRecord } from '#common/model/records.ts';
import { fieldFault } from '#api/field-fault.ts';
import { useRoles, useSaveRole, type RoleInput } from '#api/people-queries.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import type { DoneProps } from '#ui/dialog-props.ts';
import { TextField } from '#ui/form-fields.tsx';
import { Note } from '#ui/note.tsx';
import { PermissionTicks } from '#ui/permission-ticks.tsx';
import { useEditConflict } from '#ui/edit-conflict.tsx';
import { isName } from './people-view.ts';

interface Props extends DoneProps {
  /** Null: a new one. */
  role: RoleRecord | null;
  people: UserRecord[];
}

export function RoleDialog({ role, people, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const save = useSaveRole();
  const [name, setName] = useState(role?.name ?? '');
  const [permissions, setPermissions] = useState<Permission[]>(role?.permissions ?? ['view']);
  const [asked, setAsked] = useState(false);
  const saved = useRoles(true).data?.find(({ id }) => id === role?.id) ?? role;
  const others = useEditConflict({
    place: `role ${role?.id ?? ''}`,
    saved: saved && inputOf(saved),
    mine: inputOf({ name, permissions }),
    take: () => {
      setName(saved?.name ?? '');
      setPermissions(saved?.permissions ?? []);
    },
  });
  const kind = role === null ? 'make' : 'change';
  const submit = () => {
    setAsked(true);
    if (!isName(name)) return;
    const done = role === null ? ('roleMade' as const) : ('roleChanged' as const);
    save.mutate(
      { id: role?.id ?? null, input: inputOf({ name, permissions }) },
      { onSuccess: (saved) => onDone(t(`people.done.${done}`, { name: saved.name })) },
    );
  };
  return (
    <FormDialog
      wide
      others={others}
      title={t(`people.roleForm.${kind}Title`, { name: role?.name })}
      act={t(`people.roleForm.${kind}Submit`)}
      failed={t('people.roleForm.failed')}
      call={save}
      shownFields={['name']}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        first
        label={t('people.roleForm.name')}
        help={t('people.roleForm.nameHelp')}
        fault={asked && !isName(name) ? t('people.roleForm.nameMissing') : fieldFault(save.error, 'name')}
        value={name}
        onChange={setName}
      />
      <PermissionTicks
        legend={t('people.roleForm.permissions')}
        had={saved?.permissions ?? []}
        chosen={permissions}
        onChange={setPermissions}
      />
      {role !== null && <Holders role={role} people={people} />}
    </FormDialog>
  );
}

/** As sent: in the order of all permissions, so that equal selections are equal values. */
const inputOf = ({ name, permissions }: RoleInput): RoleInput => ({
  name: name.trim(),
  permissions: PERMISSIONS.filter((one) => permissions.includes(one)),
});

function Holders({ role, people }: { role: RoleRecord; people: UserRecord[] }) {
  const { t } = useTranslation();
  const count = people.filter((person) => person.roles.includes(role.name)).length;
  return <Note>{count === 0 ? t('people.roleForm.nobody') : t('people.roleForm.holders', { count })}</Note>;
}

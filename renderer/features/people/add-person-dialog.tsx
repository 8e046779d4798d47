import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RoleRecord, UserRecord } from '#common/model/records.ts';
import { fieldFault } from '#api/field-fault.ts';
import { useAddPerson } from '#api/people-queries.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import type { DoneProps } from '#ui/dialog-props.ts';
import { TextField } from '#ui/form-fields.tsx';
import { isName, isPassword, isTaken } from './people-view.ts';
import { RoleTicks } from './role-ticks.tsx';

interface Props extends DoneProps {
  people: UserRecord[];
  roles: RoleRecord[];
}

export function AddPersonDialog({ people, roles, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const add = useAddPerson();
  const [input, setInput] = useState({ name: '', password: '', roles: ['Viewer'] });
  const [asked, setAsked] = useState(false);
  const taken = isTaken(input.name, people);
  const name = input.name.trim();
  const nameFault = taken
    ? t('people.adding.nameTaken', { name })
    : asked && !isName(name)
      ? t('people.adding.nameMissing')
      : fieldFault(add.error, 'name');
  const passwordFault =
    asked && !isPassword(input.password)
      ? t('people.adding.passwordShort', { count: input.password.length })
      : fieldFault(add.error, 'password');
  const submit = () => {
    setAsked(true);
    if (taken || !isName(name) || !isPassword(input.password)) return;
    add.mutate({ ...input, name }, { onSuccess: () => onDone(t('people.done.added', { name })) });
  };
  return (
    <FormDialog
      wide
      title={t('people.adding.title')}
      act={t('people.adding.submit')}
      failed={t('people.adding.failed')}
      call={add}
      shownFields={['name', 'password']}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        first
        label={t('people.adding.name')}
        help={t('people.adding.nameHelp')}
        fault={nameFault}
        value={input.name}
        onChange={(value) => setInput({ ...input, name: value })}
      />
      <TextField
        type="password"
        autoComplete="new-password"
        label={t('people.adding.password')}
        help={t('people.adding.passwordHelp')}
        fault={passwordFault}
        value={input.password}
        onChange={(password) => setInput({ ...input, password })}
      />
      <RoleTicks
        roles={roles}
        chosen={input.roles}
        had={[]}
        onChange={(names) => setInput({ ...input, roles: names })}
      />
    </FormDialog>
  );
}

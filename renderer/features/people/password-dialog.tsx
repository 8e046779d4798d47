import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserRecord } from '#common/model/records.ts';
import { fieldFault } from '#api/field-fault.ts';
import { useChangePerson } from '#api/people-queries.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import type { DoneProps } from '#ui/dialog-props.ts';
import { TextField } from '#ui/form-fields.tsx';
import { isPassword } from './people-view.ts';

interface Props extends DoneProps {
  person: UserRecord;
}

export function PasswordDialog({ person, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const change = useChangePerson();
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const { id, name } = person;
  const fault =
    asked && !isPassword(password)
      ? t('people.adding.passwordShort', { count: password.length })
      : fieldFault(change.error, 'password');
  const submit = () => {
    setAsked(true);
    if (!isPassword(password)) return;
    change.mutate({ id, patch: { password } }, { onSuccess: () => onDone(t('people.done.password', { name })) });
  };
  return (
    <FormDialog
      title={t('people.password.title', { name })}
      act={t('people.password.submit')}
      failed={t('people.password.failed')}
      call={change}
      shownFields={['password']}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t('people.password.lead', { name })}</p>
      <TextField
        first
        type="password"
        autoComplete="new-password"
        label={t('people.password.label')}
        help={t('people.password.help')}
        fault={fault}
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  );
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldFault } from '#api/field-fault.ts';
import { useChangeOwnPassword } from '#api/people-queries.ts';
import { FormDialog } from './form-dialog.tsx';
import { TextField } from './form-fields.tsx';
import { showToast } from './toast.tsx';

const PASSWORD_CHARS_MIN = 10;

/** For all logged-in users. A changed password ends all other sessions of the user. */
export function OwnPasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const change = useChangeOwnPassword();
  const [input, setInput] = useState({ old: '', new: '' });
  const [asked, setAsked] = useState(false);
  const short = input.new.length < PASSWORD_CHARS_MIN;
  const submit = () => {
    setAsked(true);
    if (short || input.old === '') return;
    const onSuccess = () => {
      showToast({ text: t('shell.ownPassword.done') });
      onClose();
    };
    change.mutate(input, { onSuccess });
  };
  const oldFault = asked && input.old === '' ? t('shell.ownPassword.oldMissing') : fieldFault(change.error, 'old');
  const newFault =
    asked && short ? t('shell.ownPassword.short', { count: input.new.length }) : fieldFault(change.error, 'new');
  return (
    <FormDialog
      title={t('shell.ownPassword.title')}
      act={t('shell.ownPassword.submit')}
      failed={t('shell.ownPassword.failed')}
      call={change}
      shownFields={['old', 'new']}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t('shell.ownPassword.lead')}</p>
      <TextField
        first
        type="password"
        autoComplete="current-password"
        label={t('shell.ownPassword.old')}
        fault={oldFault}
        value={input.old}
        onChange={(old) => setInput({ ...input, old })}
      />
      <TextField
        type="password"
        autoComplete="new-password"
        label={t('shell.ownPassword.new')}
        help={t('shell.ownPassword.newHelp')}
        fault={newFault}
        value={input.new}
        onChange={(value) => setInput({ ...input, new: value })}
      />
    </FormDialog>
  );
}

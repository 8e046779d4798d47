import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '#ui/form-dialog.tsx';
import { TextField } from '#ui/form-fields.tsx';

interface Props {
  /** Of the run that is saved; null: it made no reply. */
  expected: number | null;
  onSave: (name: string) => void;
  onClose: () => void;
}

export function SaveTestDialog({ expected, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [asked, setAsked] = useState(false);
  const status = expected === null ? t('editorDock.testing.noReply') : String(expected);
  const submit = () => {
    if (name.trim() === '') setAsked(true);
    else onSave(name.trim());
  };
  return (
    <FormDialog
      title={t('editorDock.testing.saveAs')}
      act={t('editorDock.testing.saveAs')}
      pending={false}
      error={null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        first
        label={t('editorDock.testing.saveName')}
        help={t('editorDock.testing.saveNameHelp', { status })}
        fault={asked && name.trim() === '' ? t('editorDock.testing.saveNameMissing') : null}
        value={name}
        onChange={setName}
      />
    </FormDialog>
  );
}

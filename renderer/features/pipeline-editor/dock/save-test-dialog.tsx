import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '#ui/form-dialog.tsx';
import { TextField } from '#ui/form-fields.tsx';
import { Note } from '#ui/note.tsx';

interface Props {
  /** The status of the saved run; null: it had no reply. */
  expected: number | null;
  /** Headers whose values are not saved. */
  credentials: readonly string[];
  onSave: (name: string) => void;
  onClose: () => void;
}

export function SaveTestDialog({ expected, credentials, onSave, onClose }: Props) {
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
      {credentials.length > 0 && (
        <Note>
          <p>{t('editorDock.testing.saveNoCredentials', { names: credentials.join(', ') })}</p>
        </Note>
      )}
    </FormDialog>
  );
}

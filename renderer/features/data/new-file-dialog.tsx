import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isFile, useWriteFile } from '#api/data-queries.ts';
import { fieldFault } from '#api/field-fault.ts';
import { CodeEditor } from '#ui/code/code-editor.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import type { NoticeProps } from '#ui/dialog-props.ts';
import { TextField } from '#ui/form-fields.tsx';
import { inFolder } from './file-kind.ts';

interface Props extends NoticeProps {
  project: string;
  folder: string;
}

const ROWS = 10;

/** A small text file. */
export function NewFileDialog({ project, folder, onNotice, onClose }: Props) {
  const { t } = useTranslation();
  const write = useWriteFile(project);
  const [path, setPath] = useState(inFolder(folder, ''));
  const [text, setText] = useState('');
  const [fault, setFault] = useState<'missing' | 'taken' | null>(null);
  const submit = async () => {
    const wanted = path.trim();
    if (wanted === '' || wanted.endsWith('/')) return setFault('missing');
    // Writing would replace an existing file: those are edited in their own dialog.
    if (await isFile(project, wanted)) return setFault('taken');
    write.mutate(
      { path: wanted, content: text, format: 'text' },
      {
        onSuccess: () => {
          onNotice({ kind: 'done', text: t('data.files.saved', { path: wanted }) });
          onClose();
        },
      },
    );
  };
  const changePath = (value: string) => {
    setFault(null);
    setPath(value);
  };
  return (
    <FormDialog
      wide
      title={t('data.files.newTitle')}
      act={t('data.files.create')}
      call={write}
      shownFields={['file']}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        first
        mono
        label={t('data.files.path')}
        help={t('data.files.pathHelp')}
        value={path}
        onChange={changePath}
        fault={fault === null ? fieldFault(write.error, 'file') : t(`data.files.${fault}`)}
      />
      <div className="stack tight">
        <span className="mantine-InputWrapper-label" aria-hidden="true">
          {t('data.files.content')}
        </span>
        <CodeEditor label={t('data.files.content')} language="text" value={text} rows={ROWS} onChange={setText} />
      </div>
    </FormDialog>
  );
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectRecord } from '#common/model/records.ts';
import { useRenameProject } from '#api/project-file-queries.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import type { DoneProps } from '#ui/dialog-props.ts';
import { TextField } from '#ui/form-fields.tsx';

const NAME_CHARS_MAX = 64;

interface Props extends DoneProps {
  project: ProjectRecord;
}

export function RenameDialog({ project, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const rename = useRenameProject();
  const [name, setName] = useState(project.name);
  const [asked, setAsked] = useState(false);
  const plain = name.trim();
  const ok = plain !== '' && plain.length <= NAME_CHARS_MAX;
  const submit = () => {
    setAsked(true);
    const done = () => onDone(t('projectFiles.renamed', { name: plain }));
    if (ok) rename.mutate({ id: project.id, name: plain }, { onSuccess: done });
  };
  return (
    <FormDialog
      title={t('projectFiles.renameTitle', { name: project.name })}
      act={t('projectFiles.rename')}
      call={rename}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('projects.name')}
        help={t('projectFiles.renameHelp', { id: project.id })}
        value={name}
        onChange={setName}
        fault={asked && !ok ? t('projects.nameBad') : null}
        first
      />
    </FormDialog>
  );
}

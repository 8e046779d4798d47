import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LibraryScript } from '#common/model/library-script.ts';
import { useDeleteDefinition, useSaveDefinition } from '#api/definition-queries.ts';
import { errorBesides, fieldFault } from '#api/field-fault.ts';
import { usePipelines } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { CodeEditor } from '#ui/code/code-editor.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { TextField } from '#ui/form-fields.tsx';
import type { Notice } from '#ui/notice-line.tsx';
import { Panel } from '#ui/panel.tsx';
import { EditorHead } from './editor-head.tsx';
import { Fault } from './fault.tsx';
import { ScriptTest } from './script-test.tsx';
import { numberOr } from './tag-fields.ts';
import { UserList } from './user-list.tsx';
import { usersOf } from './users.ts';

interface Props {
  project: string;
  /** Null: a new one. */
  script: LibraryScript | null;
  onNotice: (notice: Notice) => void;
  onSaved: (id: string) => void;
  onClose: () => void;
}

/** A script as its form holds it: the deadline as typed. */
type Draft = Omit<LibraryScript, 'deadline'> & { deadline: string };

const TOLD = ['id', 'description', 'code', 'deadline'];
const CODE_ROWS = 20;
const FIRST_CODE = `export default async (args) => {
  return args;
};
`;

const draftOf = (script: LibraryScript | null): Draft =>
  script === null
    ? { id: '', description: '', code: FIRST_CODE, deadline: '1' }
    : { ...script, deadline: String(script.deadline) };

/** As it is sent. A figure that is none is sent as it was typed: the answer names the field. */
const scriptOf = (draft: Draft): LibraryScript => ({
  ...draft,
  id: draft.id.trim(),
  deadline: numberOr(draft.deadline) as number,
});

/** One library script, and a test run of it as it is saved. */
export function ScriptEditor({ project, script, onNotice, onSaved, onClose }: Props) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const save = useSaveDefinition(project, 'scripts');
  const [draft, setDraft] = useState(() => draftOf(script));
  const [deleting, setDeleting] = useState(false);
  const changed = script === null || JSON.stringify(scriptOf(draft)) !== JSON.stringify(scriptOf(draftOf(script)));
  const submit = () =>
    save.mutate(
      { definition: scriptOf(draft), isNew: script === null },
      {
        onSuccess: ({ id }) => {
          onNotice({ kind: 'done', text: t('scripts.saved', { id }) });
          onSaved(id);
        },
      },
    );
  const besides = errorBesides(save.error, TOLD);
  return (
    <>
      <EditorHead
        title={script === null ? t('scripts.newTitle') : script.id}
        back={t('scripts.back')}
        changed={changed}
        saveLabel={t('scripts.save')}
        saving={save.isPending}
        onSave={submit}
        onBack={onClose}
        side={
          script !== null && (
            <Button variant="subtle" onClick={() => setDeleting(true)}>
              {t('scripts.delete')}
            </Button>
          )
        }
      />
      {besides !== null && besides !== undefined && <ErrorNote error={besides} title={t('scripts.notSaved')} />}
      <div className="data-editor">
        <Panel>
          <div className="body stack">
            <Fields
              draft={draft}
              isNew={script === null}
              error={save.error}
              onChange={(patch) => setDraft((before) => ({ ...before, ...patch }))}
            />
          </div>
        </Panel>
        {mayEdit && <ScriptTest project={project} id={script?.id ?? null} changed={changed} />}
      </div>
      {deleting && script !== null && (
        <DeleteDialog
          project={project}
          id={script.id}
          onDeleted={() => {
            onNotice({ kind: 'done', text: t('scripts.deleted', { id: script.id }) });
            onClose();
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}

interface FieldsProps {
  draft: Draft;
  isNew: boolean;
  error: unknown;
  onChange: (patch: Partial<Draft>) => void;
}

function Fields({ draft, isNew, error, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  return (
    <>
      <div className="field-grid">
        <TextField
          label={t('scripts.id')}
          help={isNew ? t('scripts.idHelp') : t('scripts.idFixed')}
          value={draft.id}
          readOnly={!isNew}
          onChange={(id) => onChange({ id })}
          fault={fieldFault(error, 'id')}
          mono
        />
        <TextField
          label={t('scripts.deadline')}
          help={t('scripts.deadlineHelp')}
          value={draft.deadline}
          readOnly={!mayEdit}
          onChange={(deadline) => onChange({ deadline })}
          fault={fieldFault(error, 'deadline')}
        />
      </div>
      <TextField
        label={t('scripts.description')}
        value={draft.description}
        readOnly={!mayEdit}
        onChange={(description) => onChange({ description })}
        fault={fieldFault(error, 'description')}
      />
      <div className="stack tight">
        <h3>{t('scripts.code')}</h3>
        <CodeEditor
          label={t('scripts.code')}
          language="javascript"
          capabilities
          value={draft.code}
          rows={CODE_ROWS}
          {...(mayEdit && { onChange: (code: string) => onChange({ code }) })}
        />
        <Fault text={fieldFault(error, 'code')} />
        <p className="mantine-InputWrapper-description">{t('scripts.codeHelp')}</p>
      </div>
    </>
  );
}

interface DeleteProps {
  project: string;
  id: string;
  onDeleted: () => void;
  onClose: () => void;
}

function DeleteDialog({ project, id, onDeleted, onClose }: DeleteProps) {
  const { t } = useTranslation();
  const remove = useDeleteDefinition(project, 'scripts');
  const users = usersOf(usePipelines().data ?? [], project, 'script', id);
  return (
    <ConfirmDialog
      title={t('scripts.deleteTitle', { id })}
      keep={t('scripts.keep')}
      act={t('scripts.delete')}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(id, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      <p>{t('scripts.deleteWhat')}</p>
      <UserList project={project} users={users} none={t('data.users.noneNamed')} />
    </ConfirmDialog>
  );
}

import { useTranslation } from 'react-i18next';
import type { LibraryScript } from '#common/model/library-script.ts';
import type { Definitions } from '#api/definition-queries.ts';
import { fieldFault } from '#api/field-fault.ts';
import { usePermission } from '#api/session.ts';
import { CodeEditor } from '#ui/code/code-editor.tsx';
import { TextField } from '#ui/form-fields.tsx';
import { useEditConflict } from '#ui/edit-conflict.tsx';
import { useKeptDraft } from '#ui/use-kept-draft.ts';
import { DefinitionEditor, type EditorProps } from './definition-editor.tsx';
import { Fault } from './fault.tsx';
import { ScriptTest } from './script-test.tsx';
import { numberOr } from './tag-fields.ts';

/** A script in its form: the deadline as typed. */
type Draft = Omit<LibraryScript, 'deadline'> & { deadline: string };

const SHOWN_FIELDS = ['id', 'description', 'code', 'deadline'];
const CODE_ROWS = 20;
const FIRST_CODE = `export default async (args) => {
  return args;
};
`;

const draftOf = (script: LibraryScript | null): Draft =>
  script === null
    ? { id: '', description: '', code: FIRST_CODE, deadline: '1' }
    : { id: script.id, description: script.description, code: script.code, deadline: String(script.deadline) };

/** The request. An invalid number is sent as it was typed: the response names the field. */
const scriptOf = (draft: Draft): LibraryScript => ({
  ...draft,
  id: draft.id.trim(),
  deadline: numberOr(draft.deadline) as number,
});

/** One library script, and a test run of its saved version. */
export function ScriptEditor(props: EditorProps<Definitions['scripts']>) {
  const { project, before } = props;
  const place = `script ${project} ${before?.id ?? ''}`;
  const [draft, setDraft] = useKeptDraft(place, () => draftOf(before));
  const saved = scriptOf(draftOf(before));
  const mine = scriptOf(draft);
  const take = () => setDraft(draftOf(before));
  const others = useEditConflict({ place, saved: before && saved, mine, take });
  const changed = JSON.stringify(mine) !== JSON.stringify(saved);
  return (
    <DefinitionEditor
      {...props}
      family="scripts"
      draft={mine}
      changed={changed}
      others={others}
      shownFields={SHOWN_FIELDS}
      renderFields={(error) => (
        <Fields
          draft={draft}
          isNew={before === null}
          error={error}
          onChange={(patch) => setDraft((was) => ({ ...was, ...patch }))}
        />
      )}
    >
      <ScriptTest project={project} id={before?.id ?? null} changed={changed || before === null} />
    </DefinitionEditor>
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

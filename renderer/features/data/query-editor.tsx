import { useTranslation } from 'react-i18next';
import { useConnectionChoices, type Definitions } from '#api/definition-queries.ts';
import { DATABASE_KINDS } from '#common/model/connection-kinds.ts';
import { fieldFault } from '#api/field-fault.ts';
import { usePermission } from '#api/session.ts';
import { CodeEditor } from '#ui/code/code-editor.tsx';
import { ChoiceField, TextField } from '#ui/form-fields.tsx';
import { useEditConflict } from '#ui/edit-conflict.tsx';
import { SqlEditor } from '#ui/sql/sql-editor.tsx';
import { useKeptDraft } from '#ui/use-kept-draft.ts';
import { DefinitionEditor, type EditorProps } from './definition-editor.tsx';
import { Fault } from './fault.tsx';
import { ParamTable } from './param-table.tsx';
import { draftOf, isChanged, missingParams, queryOf, type QueryDraft } from './query-draft.ts';
import { QueryTest } from './query-test.tsx';

const SHOWN_FIELDS = ['id', 'description', 'connection', 'sql', 'params', 'rowsMax', 'timeout'];
const SQL_ROWS = 10;

/** One named query: its description, SQL and parameters, and a test run of the form. */
export function QueryEditor(props: EditorProps<Definitions['queries']>) {
  const { project, before } = props;
  const place = `query ${project} ${before?.id ?? ''}`;
  const [draft, setDraft] = useKeptDraft(place, () => draftOf(before));
  const others = useEditConflict({
    place,
    saved: before && queryOf(draftOf(before)),
    mine: queryOf(draft),
    take: () => setDraft(draftOf(before)),
  });
  const change = (patch: Partial<QueryDraft>) => setDraft((was) => ({ ...was, ...patch }));
  return (
    <DefinitionEditor
      {...props}
      family="queries"
      draft={queryOf(draft)}
      changed={isChanged(before, draft)}
      others={others}
      shownFields={SHOWN_FIELDS}
      renderFields={(error) => (
        <Fields project={project} draft={draft} isNew={before === null} error={error} onChange={change} />
      )}
    >
      <QueryTest project={project} draft={draft} />
    </DefinitionEditor>
  );
}

interface FieldsProps {
  project: string;
  draft: QueryDraft;
  isNew: boolean;
  error: unknown;
  onChange: (patch: Partial<QueryDraft>) => void;
}

function Fields({ project, draft, isNew, error, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const faultAt = (path: string) => fieldFault(error, path);
  const missing = missingParams(draft);
  const add = (names: string[]) =>
    onChange({ params: [...draft.params, ...names.map((name) => ({ name, type: 'text' as const, optional: false }))] });
  return (
    <>
      <div className="field-grid">
        <TextField
          label={t('queries.id')}
          help={isNew ? t('queries.idHelp') : t('queries.idFixed')}
          value={draft.id}
          readOnly={!isNew}
          onChange={(id) => onChange({ id })}
          fault={faultAt('id')}
          mono
        />
        <ConnectionField
          project={project}
          value={draft.connection}
          onChange={(connection) => onChange({ connection })}
        />
      </div>
      <TextField
        label={t('queries.description')}
        value={draft.description}
        readOnly={!mayEdit}
        onChange={(description) => onChange({ description })}
        fault={faultAt('description')}
      />
      <div className="stack tight">
        <h3>{t('queries.sql')}</h3>
        <Sql project={project} draft={draft} onChange={(sql) => onChange({ sql })} />
        <Fault text={faultAt('sql')} />
        <p className="mantine-InputWrapper-description">{t('queries.sqlHelp')}</p>
      </div>
      <ParamTable
        params={draft.params}
        missing={missing}
        fault={faultAt('params')}
        onAdd={add}
        {...(mayEdit && { onChange: (params: QueryDraft['params']) => onChange({ params }) })}
      />
      <div className="field-grid">
        <TextField
          label={t('queries.rowsMax')}
          help={t('queries.rowsMaxHelp')}
          digits
          value={draft.rowsMax}
          readOnly={!mayEdit}
          onChange={(rowsMax) => onChange({ rowsMax })}
          fault={faultAt('rowsMax')}
        />
        <TextField
          label={t('queries.timeout')}
          help={t('queries.timeoutHelp')}
          value={draft.timeout}
          readOnly={!mayEdit}
          onChange={(timeout) => onChange({ timeout })}
          fault={faultAt('timeout')}
        />
      </div>
    </>
  );
}

function Sql({
  project,
  draft,
  onChange,
}: Pick<FieldsProps, 'project' | 'draft'> & { onChange: (sql: string) => void }) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const field = { label: t('queries.sql'), value: draft.sql, rows: SQL_ROWS };
  if (!mayEdit) return <CodeEditor {...field} language="sql" />;
  const words = draft.params.map(({ name }) => `:${name}`);
  return <SqlEditor {...field} {...{ project, words, onChange }} connection={draft.connection} />;
}

interface ConnectionProps {
  project: string;
  value: string;
  onChange: (id: string) => void;
}

function ConnectionField({ project, value, onChange }: ConnectionProps) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const found =
    useConnectionChoices(project).data?.filter(({ settings }) =>
      DATABASE_KINDS.some((kind) => kind === settings.kind),
    ) ?? [];
  if (!mayEdit)
    return <TextField mono readOnly label={t('queries.connection')} value={value} onChange={() => undefined} />;
  const ids = ['embedded', ...found.map(({ id }) => id)];
  // A deleted one is still shown: it explains why a start is refused.
  const all = ids.includes(value) ? ids : [...ids, value];
  return (
    <ChoiceField
      label={t('queries.connection')}
      help={t('queries.connectionHelp')}
      value={value}
      options={all.map((id) => ({ value: id, label: id === 'embedded' ? t('queries.embedded') : id }))}
      onChange={onChange}
    />
  );
}

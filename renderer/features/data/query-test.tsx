import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueryResult } from '#common/model/named-query.ts';
import { useTestQuery, type Timed } from '#api/definition-queries.ts';
import { fieldFault } from '#api/field-fault.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { ChoiceField, TextField } from '#ui/form-fields.tsx';
import { Note } from '#ui/note.tsx';
import { Panel } from '#ui/panel.tsx';
import { numberText } from '#ui/quantity.ts';
import { queryOf, testParams, type Param, type QueryDraft } from './query-draft.ts';
import { ResultTable } from './result-table.tsx';

/** Runs the query in the form, saved or not. */
export function QueryTest({ project, draft }: { project: string; draft: QueryDraft }) {
  const { t } = useTranslation();
  const test = useTestQuery(project);
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [wrong, setWrong] = useState('');
  const named = draft.params.filter(({ name }) => name !== '');
  // An unnamed draft is tested by a name of its own: only the journal shows it.
  const query = { ...queryOf(draft), ...(draft.id.trim() === '' && { id: 'draft' }) };
  const isOfDraft = test.variables !== undefined && runsAs(test.variables.query) === runsAs(query);
  const run = (event: FormEvent) => {
    event.preventDefault();
    const read = testParams(named, texts);
    setWrong(read.kind === 'not-json' ? read.name : '');
    if (read.kind === 'params') test.mutate({ query, params: read.params });
  };
  return (
    <Panel title={t('queries.test')}>
      <div className="body stack">
        <p className="t2">{t('queries.testHelp')}</p>
        <form className="stack" onSubmit={run} noValidate>
          {named.map((param) => (
            <ParamField
              key={param.name}
              param={param}
              text={texts[param.name] ?? ''}
              fault={wrong === param.name ? t('data.fault.json') : fieldFault(test.error, `params.${param.name}`)}
              onChange={(text) => setTexts((before) => ({ ...before, [param.name]: text }))}
            />
          ))}
          <Button type="submit" className="start" disabled={draft.sql.trim() === ''} loading={test.isPending}>
            {t('queries.run')}
          </Button>
        </form>
        {test.isError && isOfDraft && <ErrorNote error={test.error} title={t('queries.testFailed')} />}
        {test.data && !test.isPending && isOfDraft && <Answer result={test.data} rowsMax={draft.rowsMax} />}
      </div>
    </Panel>
  );
}

/** Another result belongs to another statement. */
function runsAs({ connection, sql, params }: ReturnType<typeof queryOf>): string {
  return JSON.stringify([connection, sql, params]);
}

interface FieldProps {
  param: Param;
  text: string;
  fault: string | null;
  onChange: (text: string) => void;
}

function ParamField({ param: { name, type, optional }, text, fault, onChange }: FieldProps) {
  const { t } = useTranslation();
  const help = `${t(`queries.type.${type}`)}${optional ? `, ${t('queries.optionalHelp')}` : ''}`;
  if (type === 'boolean') {
    const options = [
      { value: '', label: 'NULL' },
      { value: 'true', label: 'true' },
      { value: 'false', label: 'false' },
    ];
    return <ChoiceField label={name} help={help} value={text} options={options} onChange={onChange} />;
  }
  return <TextField mono label={name} help={help} value={text} fault={fault} onChange={onChange} />;
}

function Answer({ result: { answer, ms }, rowsMax }: { result: Timed<QueryResult>; rowsMax: string }) {
  const { t, i18n } = useTranslation();
  const { rows, rowCount, truncated } = answer;
  const count = { count: rowCount, rows: numberText(rowCount, i18n.language), ms: numberText(ms, i18n.language) };
  return (
    <>
      <output className="strong">
        {rows.length === 0 && rowCount > 0 ? t('queries.changedRows', count) : t('queries.gotRows', count)}
      </output>
      {truncated && <Note kind="warning">{t('queries.truncated', { rows: rowsMax })}</Note>}
      {rows.length > 0 && <ResultTable label={t('queries.result')} rows={rows} />}
    </>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Scope } from '#common/scopes.ts';
import { useTestScript, type ScriptAnswer, type Timed } from '#api/definition-queries.ts';
import { usePermission } from '#api/session.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { CodeEditor } from '#ui/code/code-editor.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';
import { ScopeCheckboxes } from '#ui/scope-checkboxes.tsx';
import { Panel } from '#ui/panel.tsx';
import { numberText } from '#ui/quantity.ts';
import { jsonValue } from './written-value.ts';

interface Props {
  project: string;
  /** Null: not saved yet. */
  id: string | null;
  changed: boolean;
}

const ARGS_ROWS = 5;

/** Runs the saved script, with arguments and, if permitted, granted scopes. */
export function ScriptTest({ project, id, changed }: Props) {
  const { t } = useTranslation();
  const test = useTestScript(project);
  const mayLend = usePermission('access_settings');
  const [text, setText] = useState('{}');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const args = jsonValue(text);
  const run = () => {
    if (id !== null && args.kind === 'value') test.mutate({ id, args: args.value, scopes: [...scopes] });
  };
  return (
    <Panel title={t('scripts.test')}>
      <div className="body stack">
        {changed && <Note>{t('scripts.saveFirst')}</Note>}
        <div className="stack tight">
          <h3>{t('scripts.args')}</h3>
          <CodeEditor label={t('scripts.args')} language="json" value={text} rows={ARGS_ROWS} onChange={setText} />
        </div>
        {mayLend ? (
          <ScopeCheckboxes
            legend={t('scripts.lend')}
            chosen={scopes}
            renderLabel={(scope) => <span className="mono">{scope}</span>}
            onChange={setScopes}
          />
        ) : (
          <p className="t2">{t('scripts.noScopes')}</p>
        )}
        <Button className="start" disabled={changed || args.kind !== 'value'} loading={test.isPending} onClick={run}>
          {t('scripts.run')}
        </Button>
        {test.isError && <ErrorNote error={test.error} title={t('scripts.testFailed')} />}
        {test.data && !test.isPending && <Answer result={test.data} />}
      </div>
    </Panel>
  );
}

function Answer({ result: { answer, ms } }: { result: Timed<ScriptAnswer> }) {
  const { t, i18n } = useTranslation();
  const { value, lines } = answer;
  return (
    <>
      <output className="strong">{t('scripts.ran', { ms: numberText(ms, i18n.language) })}</output>
      <CodeBlock title={t('scripts.value')} code={JSON.stringify(value, null, 2)} />
      <h3>{t('scripts.log')}</h3>
      {lines.length === 0 ? (
        <p className="t2">{t('scripts.noLines')}</p>
      ) : (
        <ol className="log-lines mono">
          {lines.map(({ level, message }, index) => (
            // Two lines can be equal.
            <li key={index}>
              <span className="t3">{level}</span> {message}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

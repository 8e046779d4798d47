import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '#api/session.ts';
import { Icon } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { Shape } from '#ui/shape.tsx';
import { useEditorContext } from '../editor-context.tsx';
import { SaveTestDialog } from './save-test-dialog.tsx';
import { readTests, withTest, writeTests, type SavedTest } from './saved-tests.ts';
import type { NotRun, TestForm } from './use-test-form.ts';

/** The last response of a saved test; undefined: it has not run since the page was opened. */
type Got = { status: number | null } | Exclude<NotRun, 'cancelled'>;

/** Tests that are run together, each with the status that is expected of it. */
export function SavedTests({ form }: { form: TestForm }) {
  const { t } = useTranslation();
  const { record } = useEditorContext();
  const session = useSession().data;
  const user = session?.kind === 'in' ? session.user.id : '';
  const place = { user, project: record.project, pipeline: record.id };
  const [tests, setTests] = useState(() => readTests(localStorage, place));
  const [kept, setKept] = useState(true);
  const [got, setGot] = useState<Record<string, Got>>({});
  const [naming, setNaming] = useState(false);
  const { state } = form;
  const keep = (changed: SavedTest[]) => {
    setTests(changed);
    setKept(writeTests(localStorage, place, changed));
  };
  const runAll = async () => {
    setGot({});
    for (const { name, request } of tests) {
      const run = await form.run(request);
      // Cancelling one also cancels the rest.
      if (run === 'cancelled') return;
      setGot((before) => ({ ...before, [name]: typeof run === 'string' ? run : { status: run.status } }));
    }
  };
  const ran = tests.filter(({ name }) => got[name] !== undefined);
  const good = ran.filter((test) => isAsExpected(test, got[test.name]));
  return (
    <div className="stack tight">
      <div className="row wrap">
        <h3 className="grow">{t('editorDock.testing.savedTests')}</h3>
        {state.kind === 'done' && <Button onClick={() => setNaming(true)}>{t('editorDock.testing.saveAs')}</Button>}
        {tests.length > 0 && (
          <Button loading={state.kind === 'running'} onClick={() => void runAll()}>
            {t('editorDock.testing.runAll')}
          </Button>
        )}
      </div>
      {!kept && <Note kind="warning">{t('editorDock.testing.savedRefused')}</Note>}
      {tests.length === 0 && <p className="t2">{t('editorDock.testing.savedNone')}</p>}
      <output>
        {ran.length === tests.length && ran.length > 0 && (
          <b>{t('editorDock.testing.asExpected', { good: good.length, count: ran.length })}</b>
        )}
      </output>
      <ul className="saved-tests">
        {tests.map((test) => (
          <SavedRow
            key={test.name}
            test={test}
            got={got[test.name]}
            onLoad={() => form.setRequest(test.request)}
            onRemove={() => keep(tests.filter(({ name }) => name !== test.name))}
          />
        ))}
      </ul>
      {naming && state.kind === 'done' && (
        <SaveTestDialog
          expected={state.run.status}
          onSave={(name) => {
            keep(withTest(tests, { name, request: state.request, expected: state.run.status }));
            setNaming(false);
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </div>
  );
}

function isAsExpected({ expected }: SavedTest, got: Got | undefined): boolean {
  return typeof got === 'object' && got.status === expected;
}

interface RowProps {
  test: SavedTest;
  got: Got | undefined;
  onLoad: () => void;
  onRemove: () => void;
}

function SavedRow({ test, got, onLoad, onRemove }: RowProps) {
  const { t } = useTranslation();
  const { name, expected } = test;
  const statusText = (status: number | null) => (status === null ? t('editorDock.testing.noReply') : String(status));
  const good = isAsExpected(test, got);
  return (
    <li>
      <Shape name={got === undefined ? 'unknown' : good ? 'passed' : 'alarm'} small />
      <button
        type="button"
        className="row-link grow"
        aria-label={t('editorDock.testing.load', { name })}
        onClick={onLoad}
      >
        <span className="two">
          <b>{name}</b>
          <small>{told()}</small>
        </span>
      </button>
      <Button
        variant="subtle"
        className="square"
        aria-label={t('editorDock.testing.remove', { name })}
        onClick={onRemove}
      >
        <Icon name="close" />
      </Button>
    </li>
  );
  function told() {
    if (got === 'gone') return t('editorDock.testing.gone');
    if (got === 'refused') return t('editorDock.testing.refused');
    if (got === undefined || good) return t('editorDock.testing.expected', { status: statusText(expected) });
    return t('editorDock.testing.got', { got: statusText(got.status), expected: statusText(expected) });
  }
}

import { Button, Popover } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '#api/session.ts';
import { credentialsOf, type SavedTest } from '#common/model/saved-test.ts';
import type { RunRecord } from '#common/model/records.ts';
import { Icon } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { Shape } from '#ui/shape.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import type { Draft } from '../model/draft.ts';
import { isErrorAsSuccess } from './run-reply.ts';
import { SaveTestDialog } from './save-test-dialog.tsx';
import { forgetTestsOfBrowser, testsOfBrowser, withTest } from './saved-tests.ts';
import type { NotRun, TestForm } from './use-test-form.ts';

/** The last response of a saved test; undefined: it has not run since the page was opened. */
type Got = { status: number | null; isWrong: boolean } | Exclude<NotRun, 'cancelled'>;

const NO_TESTS: readonly SavedTest[] = [];

/** Tests that are stored with the pipeline, to load or to run together, each with its expected status. */
export function SavedTestsMenu({ form }: { form: TestForm }) {
  const { t } = useTranslation();
  const { mayEdit } = useEditorContext();
  const tests = useEditor((state) => state.draft.tests) ?? NO_TESTS;
  const [open, setOpen] = useState(false);
  const [naming, setNaming] = useState(false);
  const results = useResults(form, tests);
  const edit = useTestEdits();
  const { state } = form;
  const beginNaming = () => {
    // It would cover the dialog.
    setOpen(false);
    setNaming(true);
  };
  return (
    <>
      <Popover opened={open} onChange={setOpen} position="top-end" trapFocus returnFocus withinPortal>
        <Popover.Target>
          <Button rightSection={<Icon name="down" />} aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('editorDock.testing.savedTests')} {tests.length > 0 && <span className="count">{tests.length}</span>}
          </Button>
        </Popover.Target>
        <Popover.Dropdown className="saved-tests-menu" aria-label={t('editorDock.testing.savedTests')}>
          {tests.length === 0 && <p className="t2">{t('editorDock.testing.savedNone')}</p>}
          <ul className="saved-tests">
            {tests.map((test) => (
              <SavedRow
                key={test.name}
                test={test}
                got={results.got[test.name]}
                onLoad={() => {
                  form.setRequest(test.request);
                  setOpen(false);
                }}
                onRemove={mayEdit ? () => edit.remove(test.name) : null}
              />
            ))}
          </ul>
          <output>
            {results.count > 0 && (
              <b>{t('editorDock.testing.asExpected', { good: results.good, count: results.count })}</b>
            )}
          </output>
          <div className="row wrap">
            {tests.length > 0 && (
              <Button loading={state.kind === 'running'} onClick={() => void results.runAll()}>
                {t('editorDock.testing.runAll')}
              </Button>
            )}
            {state.kind === 'done' && mayEdit && (
              <Button onClick={beginNaming}>{t('editorDock.testing.saveAs')}</Button>
            )}
          </div>
          {mayEdit && <BrowserTests onTake={edit.take} />}
        </Popover.Dropdown>
      </Popover>
      {naming && state.kind === 'done' && (
        <SaveTestDialog
          expected={state.run.status}
          credentials={credentialsOf(state.request)}
          onSave={(name) => {
            setNaming(false);
            return edit.save({ name, request: state.request, expected: state.run.status });
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

function useResults(form: TestForm, tests: readonly SavedTest[]) {
  const draft = useEditor((state) => state.draft);
  const [got, setGot] = useState<Record<string, Got>>({});
  const runAll = async () => {
    setGot({});
    for (const { name, request } of tests) {
      const run = await form.run(request);
      // Cancelling one also cancels the rest.
      if (run === 'cancelled') return;
      setGot((before) => ({ ...before, [name]: gotOf(run, draft) }));
    }
  };
  const ran = tests.filter(({ name }) => got[name] !== undefined);
  const isDone = ran.length === tests.length;
  const good = ran.filter((test) => isAsExpected(test, got[test.name])).length;
  return { got, good, count: isDone ? ran.length : 0, runAll };
}

function gotOf(run: RunRecord | Exclude<NotRun, 'cancelled'>, draft: Draft): Got {
  return typeof run === 'string' ? run : { status: run.status, isWrong: isErrorAsSuccess(run, draft) };
}

function useTestEdits() {
  const { store } = useEditorContext();
  const change = (
    code: 'saveTest' | 'removeTest' | 'takeTests',
    about: string,
    to: (tests: SavedTest[]) => SavedTest[],
  ) => store.edit({ code, about }, (draft) => ({ ...draft, tests: to(draft.tests ?? []) }));
  return {
    save: (test: SavedTest) => change('saveTest', test.name, (tests) => withTest(tests, test)),
    remove: (name: string) => change('removeTest', name, (tests) => tests.filter((test) => test.name !== name)),
    take: (more: readonly SavedTest[]) =>
      change('takeTests', String(more.length), (tests) => more.reduce(withTest, tests)),
  };
}

/** Tests of an earlier release, which exist only in this browser. */
function BrowserTests({ onTake }: { onTake: (tests: readonly SavedTest[]) => void }) {
  const { t } = useTranslation();
  const { record } = useEditorContext();
  const session = useSession().data;
  const place = {
    user: session?.kind === 'in' ? session.user.id : '',
    project: record.project,
    pipeline: record.id,
  };
  const [tests, setTests] = useState(() => testsOfBrowser(localStorage, place));
  if (tests.length === 0) return null;
  const take = () => {
    onTake(tests);
    forgetTestsOfBrowser(localStorage, place);
    setTests([]);
  };
  return (
    <Note>
      <p className="t2">{t('editorDock.testing.ofBrowser', { count: tests.length })}</p>
      <Button onClick={take}>{t('editorDock.testing.takeTests')}</Button>
    </Note>
  );
}

function isAsExpected({ expected }: SavedTest, got: Got | undefined): boolean {
  return typeof got === 'object' && got.status === expected && !got.isWrong;
}

interface RowProps {
  test: SavedTest;
  got: Got | undefined;
  onLoad: () => void;
  /** Null: for users who may not edit. */
  onRemove: (() => void) | null;
}

function SavedRow({ test, got, onLoad, onRemove }: RowProps) {
  const { t } = useTranslation();
  const { name, expected } = test;
  const statusText = (status: number | null) => (status === null ? t('editorDock.testing.noReply') : String(status));
  const good = isAsExpected(test, got);
  return (
    <li>
      <Shape name={got === undefined ? 'unknown' : good ? 'passed' : isAmber(got) ? 'warning' : 'alarm'} small />
      <button
        type="button"
        className="row-link grow"
        aria-label={t('editorDock.testing.load', { name })}
        onClick={onLoad}
      >
        <span className="two">
          <b>{name}</b>
          <small>{resultText()}</small>
        </span>
      </button>
      {onRemove !== null && (
        <Button
          variant="subtle"
          className="square"
          aria-label={t('editorDock.testing.remove', { name })}
          onClick={onRemove}
        >
          <Icon name="close" />
        </Button>
      )}
    </li>
  );
  function isAmber(one: Got): boolean {
    return typeof one === 'object' && one.status === expected;
  }
  function resultText() {
    if (got === 'gone') return t('editorDock.testing.gone');
    if (got === 'refused') return t('editorDock.testing.refused');
    if (got === undefined || good) return t('editorDock.testing.expected', { status: statusText(expected) });
    if (isAmber(got)) return t('editorDock.testing.gotError', { status: statusText(got.status) });
    return t('editorDock.testing.got', { got: statusText(got.status), expected: statusText(expected) });
  }
}

import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRoutes } from '#api/routes-queries.ts';
import { curlCall } from '#ui/calls/curl.ts';
import { KEY_PLACEHOLDER, callPlan } from '#ui/calls/plan.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { Shape } from '#ui/shape.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { nameOf, nodeOf } from '../model/draft.ts';
import { NodeErrorHelp } from './node-error-help.tsx';
import { jsonText } from './json-lines.ts';
import { Rehearsed } from './rehearsed.tsx';
import { isErrorAsSuccess, replyOf } from './run-reply.ts';
import { msText, outcomeShape } from './run-words.ts';
import { pathOf, readRequest, type Entry, type TestRequest } from './test-request.ts';
import { nodeFieldName, useFieldNames } from './use-field-names.ts';
import type { TestForm, TestState } from './use-test-form.ts';

/** The response to the caller, the place of a failure, and the same call from outside. */
export function ResultPart({ form, entry }: { form: TestForm; entry: Entry }) {
  const { t } = useTranslation();
  const { state, request } = form;
  return (
    <div className="stack tight" aria-live="polite">
      <h3>{t('editorDock.testing.result')}</h3>
      {(state.kind === 'none' || state.kind === 'faulty') && <p className="t2">{t('editorDock.testing.noResult')}</p>}
      {state.kind === 'running' && <Progress since={state.since} onCancel={form.cancel} />}
      {state.kind === 'cancelled' && <Cancelled entry={entry} />}
      {state.kind === 'refused' && <Refused error={state.error} />}
      {state.kind === 'done' && <Result state={state} />}
      {entry.route && request && <RealCall entry={entry} request={request} />}
    </div>
  );
}

function Refused({ error }: { error: Error }) {
  const draft = useEditor((state) => state.draft);
  const names = useFieldNames();
  return <ErrorNote error={error} fieldName={(path) => nodeFieldName(draft, path, names)} />;
}

const PROGRESS_MS = 1_000;
const CANCEL_MS = 5_000;

/** Nothing for a second, then a message, then a button to cancel. */
function Progress({ since, onCancel }: { since: number; onCancel: () => void }) {
  const { t } = useTranslation();
  const waited = useNow().getTime() - since;
  return (
    <>
      <p className="t2">{t('editorDock.testing.runs')}</p>
      {waited >= PROGRESS_MS && <progress className="test-progress" aria-label={t('editorDock.testing.runs')} />}
      {waited >= CANCEL_MS && <Button onClick={onCancel}>{t('editorDock.testing.cancel')}</Button>}
    </>
  );
}

const TIMEOUT_USUAL = 30;

function Cancelled({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const draft = useEditor((state) => state.draft);
  const written = nodeOf(draft, entry.node)?.settings['timeout'];
  const timeout = typeof written === 'number' ? written : TIMEOUT_USUAL;
  return (
    <Note>
      {entry.route === null
        ? t('editorDock.testing.cancelledTrigger')
        : t('editorDock.testing.cancelled', { timeout: String(timeout) })}
    </Note>
  );
}

function Result({ state: { run } }: { state: Extract<TestState, { kind: 'done' }> }) {
  const { t, i18n } = useTranslation();
  const { store } = useEditorContext();
  const draft = useEditor((one) => one.draft);
  const reply = replyOf(run, draft);
  const isWrong = isErrorAsSuccess(run, draft);
  const failedAt = run.error?.node ?? null;
  return (
    <>
      <p className="row wrap test-outcome">
        <Shape name={isWrong ? 'warning' : outcomeShape(run)} />
        <b>{run.status ?? ''}</b>
        <span>{outcome()}</span>
        <span className="t2">{t('editorDock.testing.took', { ms: msText(run.durationMs, i18n.language) })}</span>
        <span className="t3 mono">{t('editorDock.testing.requestId', { id: run.id })}</span>
      </p>
      {isWrong && <Note kind="warning">{t('editorDock.testing.errorAsSuccess', { status: String(run.status) })}</Note>}
      {run.error && (
        <Note
          kind="error"
          title={run.error.message}
          action={
            failedAt !== null && (
              <Button onClick={() => store.goTo(failedAt)}>{t('editorDock.testing.showNode')}</Button>
            )
          }
        >
          <p>
            <code>{run.error.code}</code>
          </p>
          <NodeErrorHelp code={run.error.code} />
        </Note>
      )}
      {run.rehearsal && <Rehearsed rehearsal={run.rehearsal} />}
      {reply && <CodeBlock title={t('editorDock.testing.replyBody')} code={bodyText(reply.body)} />}
      {reply && reply.headers.length > 0 && (
        <CodeBlock title={t('editorDock.testing.replyHeaders')} code={reply.headers.join('\n')} />
      )}
      <div className="row wrap">
        <Button onClick={() => store.openDock('runs')}>{t('editorDock.testing.openRun')}</Button>
      </div>
    </>
  );
  function outcome() {
    switch (run.outcome) {
      case 'replied':
        return t('editorDock.run.replied');
      case 'ended':
        return t('editorDock.testing.ended');
      case 'timeout':
        return t('editorDock.testing.outcomeTimeout');
      case 'cancelled':
        return t('editorDock.testing.outcomeCancelled');
      case 'failed':
        return failedAt === null
          ? t('editorDock.testing.outcomeFailedSome')
          : t('editorDock.testing.outcomeFailed', { node: nameOf(draft, failedAt) });
    }
  }
}

const bodyText = (body: unknown): string => (typeof body === 'string' ? body : jsonText(body ?? null));

/** Ready to paste, except for the key. */
function RealCall({ entry, request }: { entry: Entry; request: TestRequest }) {
  const { t } = useTranslation();
  const gateway = useRoutes().data;
  const read = readRequest(request, entry);
  if (entry.route === null || gateway === undefined || !read.ok) return null;
  const { method, isPublic, pattern, headers } = entry.route;
  const body = read.message.payload['body'] ?? undefined;
  const plan = callPlan({ method, pattern: '/', isPublic }, gateway, body);
  const url = gateway.address + pathOf(pattern, request);
  const sent = headers.filter((name) => (request.headers[name] ?? '') !== '');
  const lines = sent.map((name) => ` \\\n  -H '${name}: ${(request.headers[name] ?? '').replaceAll("'", "'\\''")}'`);
  return (
    <CodeBlock
      title={t('editorDock.testing.real')}
      code={curlCall({ ...plan, url }, KEY_PLACEHOLDER) + lines.join('')}
    />
  );
}

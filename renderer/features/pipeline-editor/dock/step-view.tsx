import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunRecord, RunStep } from '#common/model/records.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Note } from '#ui/note.tsx';
import { Segments } from '#ui/segments.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { nameOf } from '../model/draft.ts';
import { sameValue } from '#ui/form/same-value.ts';
import { NodeErrorHelp } from './node-error-help.tsx';
import { jsonText, pairLines } from './json-lines.ts';
import { requestOf } from './test-request.ts';
import type { TestForm } from './use-test-form.ts';

type Part = 'input' | 'output' | 'difference';

/** The input and output of a node. */
export function StepView({ run, step, form }: { run: RunRecord; step: RunStep; form: TestForm }) {
  const { t } = useTranslation();
  const { mayEdit, mayRun } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const [part, setPart] = useState<Part>('input');
  const node = nameOf(draft, step.node);
  const text = withDots(jsonText(part === 'output' ? step.output : step.input));
  return (
    <div className="step-view">
      <div className="row wrap">
        <b>{node}</b>
        <span className="t3">{step.port === null ? t('editorDock.run.endedHere') : leftBy(step.port)}</span>
        <span className="grow" />
        {mayRun && mayEdit && !run.payloadsOmitted && (
          <>
            <StepTests step={step} form={form} />
            <TestWith run={run} form={form} />
          </>
        )}
      </div>
      {step.error && (
        <Note kind="error" title={t('editorDock.run.error')}>
          <p>
            <code>{step.error.code}</code> {step.error.message}
          </p>
          <NodeErrorHelp code={step.error.code} />
        </Note>
      )}
      {run.payloadsOmitted ? (
        <p className="t2">{mayEdit ? t('editorDock.run.omitted') : t('editorDock.run.mayNot')}</p>
      ) : (
        <>
          <div className="row wrap">
            <Segments<Part>
              label={t('editorDock.run.part', { node })}
              value={part}
              onChange={setPart}
              options={(['input', 'output', 'difference'] as const).map((value) => ({
                value,
                label: t(`editorDock.run.${value}`),
              }))}
            />
            {part !== 'difference' && <CopyButton text={text} />}
          </div>
          {part === 'difference' ? <StepDifference step={step} /> : <Payload value={text} />}
          {text.includes(DOTS) && <p className="t3 xs">{t('editorDock.run.masked')}</p>}
        </>
      )}
    </div>
  );
  function leftBy(port: string) {
    return t('editorDock.run.leftBy', { port });
  }
}

const DOTS = '••••';
/** The gateway writes "(masked)" in place of credentials. */
const withDots = (text: string) => text.replaceAll('(masked)', DOTS);

function Payload({ value }: { value: string }) {
  const { t } = useTranslation();
  if (value === '' || value === 'null') return <p className="t2">{t('editorDock.run.nothing')}</p>;
  return <pre className="payload">{value}</pre>;
}

function StepDifference({ step: { input, output } }: { step: RunStep }) {
  const { t } = useTranslation();
  if (sameValue(input, output)) return <p className="t2">{t('editorDock.run.same')}</p>;
  if (output === null) return <p className="t2">{t('editorDock.run.nothing')}</p>;
  const pairs = pairLines(withDots(jsonText(input)), withDots(jsonText(output)));
  return (
    <pre className="payload">
      {pairs.map(({ before, after }, line) => (
        // Lines have no identity, and the list is replaced as a whole.
        <span key={line}>
          {before === after && `  ${after}\n`}
          {before !== after && before !== null && <del>{`− ${before}\n`}</del>}
          {before !== after && after !== null && <ins>{`+ ${after}\n`}</ins>}
        </span>
      ))}
    </pre>
  );
}

/** Runs the node again with what it got, or keeps what it gave for the next tests. */
function StepTests({ step, form }: { step: RunStep; form: TestForm }) {
  const { t } = useTranslation();
  const { store } = useEditorContext();
  const isThere = useEditor((state) => state.draft.nodes.some(({ id, off }) => id === step.node && off !== true));
  const [input, output] = [payloadOf(step.input), payloadOf(step.output)];
  const { port } = step;
  if (!isThere) return null;
  const runAgain = () => {
    store.test({ kind: 'only', node: step.node });
    form.setRequest({ node: step.node, params: {}, headers: {}, query: '', body: jsonText(input) });
    store.openDock('test');
  };
  const pin = (name: string) => {
    store.pin(step.node, { port: name, payload: output });
    store.openDock('test');
  };
  return (
    <>
      {isWhole(input) && <Button onClick={runAgain}>{t('editorDock.run.runNode')}</Button>}
      {isWhole(output) && port !== null && <Button onClick={() => pin(port)}>{t('editorDock.run.pin')}</Button>}
      {(isPartial(input) || isPartial(output)) && <p className="t3 xs">{t('editorDock.run.partial')}</p>}
    </>
  );
}

/** Masked, cut or bytes, as a run is shown (gateway/pipeline/render.ts): a test with it would write the marks. */
const isPartial = (value: unknown): boolean =>
  value !== undefined && [DOTS, '(masked)', '…', '"base64":'].some((mark) => jsonText(value).includes(mark));
const isWhole = (value: unknown): boolean => value !== undefined && !isPartial(value);

function payloadOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'payload' in message ? message.payload : undefined;
}

/** Copies the input of the run into the form. */
function TestWith({ run, form }: { run: RunRecord; form: TestForm }) {
  const { t } = useTranslation();
  const { store } = useEditorContext();
  const first = run.steps[0];
  const request = first === undefined ? null : requestOf(first.node, first.input);
  // Its route may have been deleted since.
  if (request === null || form.entries.every(({ node }) => node !== request.node)) return null;
  const fill = () => {
    store.test({ kind: 'whole' });
    form.setRequest(request);
    store.openDock('test');
  };
  return <Button onClick={fill}>{t('editorDock.run.testWith')}</Button>;
}

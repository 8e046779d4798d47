import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunRecord, RunStep } from '#common/model/records.ts';
import { preciseTime } from '#ui/format.ts';
import { useEditor } from '../editor-context.tsx';
import type { TestForm } from './use-test-form.ts';
import { Rehearsed } from './rehearsed.tsx';
import { callerText, msText, outcomeText } from './run-words.ts';
import { StepView } from './step-view.tsx';
import { Waterfall } from './waterfall.tsx';

/** One run: a bar per node, and the input and output of the selected one. */
export function RunView({ run, form }: { run: RunRecord | null; form: TestForm }) {
  const { t } = useTranslation();
  if (run === null) return <p className="dock-pane grow pad t2">{t('editorDock.run.choose')}</p>;
  return <OneRun key={run.id} run={run} form={form} />;
}

function OneRun({ run, form }: { run: RunRecord; form: TestForm }) {
  const { t, i18n } = useTranslation();
  const [chosen, setChosen] = useState<number | null>(null);
  const selected = useEditor((state) => state.nodes);
  const at = chosen ?? firstStep(run, selected);
  const step = run.steps[at];
  const what = [run.route, callerText(t, run), outcomeText(t, run)].filter((part) => part !== null).join(', ');
  return (
    <>
      <div className="dock-pane waterfall-pane">
        <div className="run-head">
          <h3>{t('editorDock.run.title', { time: preciseTime(new Date(run.startedAt)) })}</h3>
          <span className="t2 xs cut">
            {t('editorDock.run.summary', { what, ms: msText(run.durationMs, i18n.language) })}
          </span>
        </div>
        {run.rehearsal && <Rehearsed rehearsal={run.rehearsal} />}
        <Waterfall run={run} chosen={at} onChoose={setChosen} />
      </div>
      <div className="dock-pane step-pane">{step && <StepView run={run} step={step} form={form} />}</div>
    </>
  );
}

/** The failed node, else the selected one, else the slowest. */
function firstStep({ steps }: RunRecord, selected: ReadonlySet<string>): number {
  const failed = steps.findIndex((step) => step.error !== undefined);
  if (failed >= 0) return failed;
  const onCanvas = steps.findIndex(({ node }) => selected.has(node));
  if (onCanvas >= 0) return onCanvas;
  const longest = Math.max(...steps.map(({ durationUs }: RunStep) => durationUs));
  return steps.findIndex(({ durationUs }) => durationUs === longest);
}

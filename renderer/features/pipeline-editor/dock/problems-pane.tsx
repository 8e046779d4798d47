import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { STORE_FORWARD } from '#api/alarm-kind.ts';
import { useStatus } from '#api/queries.ts';
import { Empty } from '#ui/panel.tsx';
import { Shape, type ShapeName } from '#ui/shape.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { quickFixFor, type QuickFix } from '../form/quick-fixes.ts';
import { RunView } from './run-view.tsx';
import { useShownRun } from './use-shown-run.ts';
import type { TestForm } from './use-test-form.ts';
import { problemPlace, problemText } from './problem-text.ts';
import { nodeOfProblem, settingOf, type Problem, type ProblemKind } from './problems.ts';
import { useFieldNames } from './use-field-names.ts';
import { goToProblem } from './use-problems.ts';

const SHAPES: Record<ProblemKind, ShapeName> = {
  error: 'alarm',
  alarm: 'alarm',
  warning: 'warning',
  advisory: 'advisory',
};

interface Props {
  problems: readonly Problem[];
  current: number;
  onCurrent: (index: number) => void;
  /** There is room for a run beside it. */
  withRun: boolean;
  form: TestForm;
}

export function ProblemsPane({ withRun, form, ...list }: Props) {
  return (
    <>
      <div className={withRun ? 'dock-pane problems-pane' : 'dock-pane grow'}>
        <ProblemList {...list} />
      </div>
      {withRun && <RunBeside form={form} />}
    </>
  );
}

function RunBeside({ form }: { form: TestForm }) {
  const { run } = useShownRun(true);
  return <RunView run={run} form={form} />;
}

function ProblemList({ problems, current, onCurrent }: Pick<Props, 'problems' | 'current' | 'onCurrent'>) {
  const { t } = useTranslation();
  const { check } = useEditorContext();
  const gateway = useStatus().data?.gateway.state ?? 'running';
  // Without the gateway, there is no check.
  const waits = gateway === 'running' ? t('editorDock.problem.checking') : t(`bar.gateway.${gateway}`);
  if (problems.length === 0 && check === null) return <p className="pad t2">{waits}</p>;
  if (problems.length === 0)
    return <Empty title={t('editorDock.problem.none')} help={t('editorDock.problem.noneHelp')} />;
  return (
    <ul className="problems" aria-label={t('editorDock.problem.list')}>
      {problems.map((problem, index) => (
        <ProblemRow
          key={`${problem.kind} ${problem.code} ${problem.node} ${problem.field} ${problem.message} ${problem.values['port']}`}
          problem={problem}
          isCurrent={index === current}
          onCurrent={() => onCurrent(index)}
        />
      ))}
    </ul>
  );
}

function ProblemRow({
  problem,
  isCurrent,
  onCurrent,
}: {
  problem: Problem;
  isCurrent: boolean;
  onCurrent: () => void;
}) {
  const { t } = useTranslation();
  const { store } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const names = useFieldNames();
  const go = () => {
    onCurrent();
    goToProblem(store, problem);
  };
  return (
    <li className={isCurrent ? 'current' : ''}>
      <button type="button" className="line-button problem-line" onClick={go}>
        <Shape name={SHAPES[problem.kind]} label={t(`editorDock.problem.${problem.kind}`)} />
        <b className="cut">{problemPlace(t, draft, problem)}</b>
        <span className="grow problem-text">{problemText(t, draft, problem, names)}</span>
      </button>
      <ProblemAct problem={problem} onGo={go} />
    </li>
  );
}

/** A button that fixes the problem, or leads to the place to fix it. */
function ProblemAct({ problem, onGo }: { problem: Problem; onGo: () => void }) {
  const { t } = useTranslation();
  const { store, kinds, mayEdit } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const frozen = useEditor((state) => state.showsRunning);
  if (problem.code === 'target_paused')
    return (
      <Button component={Link} href={STORE_FORWARD} variant="subtle">
        {t('editorDock.problem.showTarget')}
      </Button>
    );
  const quickFix = problem.finding && mayEdit && !frozen ? quickFixFor(problem.finding, draft, kinds) : null;
  if (quickFix !== null) {
    const about = problemPlace(t, draft, problem);
    return (
      <Button variant="subtle" onClick={() => store.edit({ code: 'fix', about }, (before) => quickFix.change(before))}>
        <QuickFixText quickFix={quickFix} />
      </Button>
    );
  }
  if (problem.code === 'route_clash') return <ClashActs problem={problem} onGo={onGo} />;
  const toNode = settingOf(problem) === null ? t('editorDock.problem.showNode') : t('editorDock.problem.showField');
  return (
    <Button variant="subtle" onClick={onGo}>
      {nodeOfProblem(draft, problem) === null ? t('editorDock.problem.openSettings') : toNode}
    </Button>
  );
}

/** The route is changed in the node here, or in the pipeline that serves it. */
function ClashActs({ problem: { finding, node }, onGo }: { problem: Problem; onGo: () => void }) {
  const { t } = useTranslation();
  const { project, pipeline } = finding?.params ?? {};
  return (
    <>
      {node !== null && (
        <Button variant="subtle" onClick={onGo}>
          {t('editorDock.problem.showNode')}
        </Button>
      )}
      {typeof project === 'string' && typeof pipeline === 'string' && (
        <Button component={Link} href={`/pipelines/${project}/${pipeline}`} variant="subtle">
          {t('editorDock.problem.openOther')}
        </Button>
      )}
    </>
  );
}

export function QuickFixText({ quickFix: { code, values } }: { quickFix: QuickFix }) {
  const { t } = useTranslation();
  return t(`editorForm.quickFix.${code}`, { scope: '', header: '', ...values });
}

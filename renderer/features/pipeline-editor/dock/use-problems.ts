import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useEgressTargets } from '#api/pipeline-queries.ts';
import { withoutFresh } from '../form/faults.ts';
import { useCanvasStore } from '../canvas/canvas-context.ts';
import { useEditor, useEditorContext, useEditorStore } from '../editor-context.tsx';
import type { EditorStore } from '../model/store.ts';
import { useFieldNames } from './use-field-names.ts';
import { problemPlace, problemText } from './problem-text.ts';
import { isEgress, nodeOfProblem, problemsOf, settingOf, type Problem } from './problems.ts';

/** The problems of the draft and of its running pipeline, the most urgent first. */
export function useProblems(): readonly Problem[] {
  const { check, kinds, record } = useEditorContext();
  const { errorsWith200 } = record;
  const draft = useEditor((state) => state.draft);
  const fresh = useEditor((state) => state.fresh);
  const targets = useEgressTargets(draft.nodes.some(isEgress)).data;
  return useMemo(
    () => problemsOf(draft, kinds, withoutFresh(check, fresh), targets ?? [], errorsWith200),
    [draft, kinds, check, fresh, targets, errorsWith200],
  );
}

/** Centres the node, and focuses the field with the problem. */
export function goToProblem(store: EditorStore, problem: Problem): void {
  const node = nodeOfProblem(store.snapshot().draft, problem);
  if (node === null) store.showPipeline();
  else store.goTo(node.id, settingOf(problem));
}

/** F8 and Shift+F8: the next and the previous problem, each announced. */
export function useProblemKeys(
  problems: readonly Problem[],
  current: number,
  onCurrent: (index: number) => void,
): void {
  const { t } = useTranslation();
  const store = useEditorStore();
  const canvas = useCanvasStore();
  const names = useFieldNames();
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key !== 'F8' || document.querySelector('[role="dialog"]') !== null) return;
      event.preventDefault();
      if (problems.length === 0) return canvas.say(t('editor.said.noProblems'));
      const from = event.shiftKey && current < 0 ? 0 : current;
      const next = (from + (event.shiftKey ? -1 : 1) + problems.length) % problems.length;
      const problem = problems[next];
      if (problem === undefined) return;
      onCurrent(next);
      store.openDock('problems');
      goToProblem(store, problem);
      const { draft } = store.snapshot();
      canvas.say(`${problemPlace(t, draft, problem)}: ${problemText(t, draft, problem, names)}`);
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [problems, current, onCurrent, store, canvas, names, t]);
}

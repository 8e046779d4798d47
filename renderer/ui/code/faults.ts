import { ensureSyntaxTree } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import { StateEffect, StateField, type EditorState, type Text } from '@codemirror/state';
import type { CodeProblem } from './code-editor.tsx';

/** Errors that the owner of the field reports for its text. */
export const setProblems = StateEffect.define<readonly CodeProblem[]>();
export const problemsField = StateField.define<readonly CodeProblem[]>({
  create: () => [],
  update: (problems, { effects }) => effects.findLast((effect) => effect.is(setProblems))?.value ?? problems,
});

export function problemMarks(state: EditorState): Diagnostic[] {
  return state.field(problemsField).map((problem) => {
    const from = positionOf(state.doc, problem);
    return { from, to: endOf(state.doc, from), severity: 'error', message: problem.message };
  });
}

function positionOf(doc: Text, { line, column }: CodeProblem): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column - 1, 0), to);
}

/** A mark needs at least one character: the rest of its line, if it is not empty. */
function endOf(doc: Text, from: number): number {
  return Math.max(doc.lineAt(from).to, from);
}

const PARSE_MS_MAX = 100;

/** The position at which a text is no longer valid JSON; null for valid JSON and an empty field. */
export function jsonFault(state: EditorState): number | null {
  const text = state.doc.toString();
  if (text.trim() === '' || isJson(text)) return null;
  let fault: number | null = null;
  ensureSyntaxTree(state, state.doc.length, PARSE_MS_MAX)?.iterate({
    enter({ type, from }) {
      if (fault === null && type.isError) fault = from;
    },
  });
  return fault ?? 0;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

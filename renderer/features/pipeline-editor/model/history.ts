import type { Draft } from './draft.ts';

/** Describes an edit, for "Undo: delete Reply 400" and the list of changes: the name of a text and its subject. */
export interface Intent {
  code:
    | 'add'
    | 'wire'
    | 'unwire'
    | 'rewire'
    | 'move'
    | 'delete'
    | 'set'
    | 'rename'
    | 'switch'
    | 'paste'
    | 'duplicate'
    | 'cut'
    | 'tidy'
    | 'template'
    | 'pipeline'
    | 'fix'
    | 'note'
    | 'removeNote'
    | 'group'
    | 'renameGroup'
    | 'ungroup'
    | 'saveTest'
    | 'removeTest'
    | 'takeTests'
    | 'restore';
  /** The name of the node, or the number of nodes. */
  about: string;
  at: Date;
}

export interface History {
  past: readonly Step[];
  future: readonly Step[];
}
export interface Step {
  intent: Intent;
  before: Draft;
  after: Draft;
  /** Consecutive steps with the same key are one: a field until it loses the focus, a drag. */
  merge: string | null;
}

const STEPS_MAX = 200;
export const EMPTY_HISTORY: History = { past: [], future: [] };

export function remember(history: History, step: Step): History {
  const last = history.past.at(-1);
  const merged =
    last !== undefined && step.merge !== null && last.merge === step.merge
      ? [...history.past.slice(0, -1), { ...step, before: last.before }]
      : [...history.past, step].slice(-STEPS_MAX);
  return { past: merged, future: [] };
}

/** The next edit with the same key is a separate step. */
export function settle(history: History): History {
  const last = history.past.at(-1);
  if (last === undefined || last.merge === null) return history;
  return { ...history, past: [...history.past.slice(0, -1), { ...last, merge: null }] };
}

export function undo({ past, future }: History): { history: History; step: Step } | null {
  const step = past.at(-1);
  if (step === undefined) return null;
  return { step, history: { past: past.slice(0, -1), future: [step, ...future] } };
}

export function redo({ past, future }: History): { history: History; step: Step } | null {
  const [step, ...rest] = future;
  if (step === undefined) return null;
  return { step, history: { past: [...past, { ...step, merge: null }], future: rest } };
}

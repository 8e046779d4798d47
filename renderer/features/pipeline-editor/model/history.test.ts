import { expect, test } from 'vitest';
import { EMPTY_HISTORY, redo, remember, settle, undo, type History } from './history.ts';
import { draftOf } from './kinds.testing.ts';

const drafts = Array.from({ length: 6 }, (_, index) =>
  draftOf(Array.from({ length: index }, (_, node) => `log:n${node}`)),
);
const draft = (index: number) => drafts[index] ?? draftOf([]);
const intent = { code: 'add', about: 'Log', at: new Date(0) } as const;

function after(history: History, from: number, merge: string | null = null): History {
  return remember(history, { intent, before: draft(from), after: draft(from + 1), merge });
}

test('each step is undone to the state before it and redone to the state after it', () => {
  const history = after(after(EMPTY_HISTORY, 0), 1);
  const undone = undo(history);
  expect(undone?.step.before).toBe(draft(1));
  const redone = redo(undone?.history ?? EMPTY_HISTORY);
  expect(redone?.step.after).toBe(draft(2));
  expect(undo(EMPTY_HISTORY)).toBeNull();
  expect(redo(EMPTY_HISTORY)).toBeNull();
});

test('steps with the same key are merged until the key is settled', () => {
  const typed = after(after(EMPTY_HISTORY, 0, 'field'), 1, 'field');
  expect(typed.past).toHaveLength(1);
  expect(undo(typed)?.step.before).toBe(draft(0));
  expect(after(settle(typed), 2, 'field').past).toHaveLength(2);
});

test('a new step clears the steps that could be redone', () => {
  const undone = undo(after(EMPTY_HISTORY, 0))?.history ?? EMPTY_HISTORY;
  expect(after(undone, 3).future).toEqual([]);
});

test('the oldest of more than 200 steps are dropped', () => {
  let history = EMPTY_HISTORY;
  for (let step = 0; step < 210; step++) history = after(history, step % 5);
  expect(history.past).toHaveLength(200);
});

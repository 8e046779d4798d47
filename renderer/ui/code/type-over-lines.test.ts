import { EditorSelection, EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { typedOver } from './type-over-lines.ts';

const DOC = 'one\ntwo\nthree';
const stateOf = (anchor: number, head: number, readOnly = false) =>
  EditorState.create({
    doc: DOC,
    selection: EditorSelection.single(anchor, head),
    extensions: EditorState.readOnly.of(readOnly),
  });

test('typed text replaces the selected lines, with the caret after it', () => {
  for (const [anchor, head] of [
    [1, 9],
    [9, 1],
  ] as const) {
    const state = stateOf(anchor, head);
    const after = state.update(typedOver(state, 'X') ?? {}).state;
    expect(after.doc.toString()).toBe('oXhree');
    expect(after.selection.main).toMatchObject({ from: 2, to: 2 });
  }
});

test('a caret, a selection within a line and a read-only text are left to the browser', () => {
  expect(typedOver(stateOf(1, 1), 'X')).toBeNull();
  expect(typedOver(stateOf(0, 3), 'X')).toBeNull();
  expect(typedOver(stateOf(3, 4), 'X')).not.toBeNull();
  expect(typedOver(stateOf(0, 9, true), 'X')).toBeNull();
});

import { expect, test } from 'vitest';
import { wireOf } from '#common/model/wire-text.ts';
import { connect, removeNodes } from './edits.ts';
import { draftOf, KINDS } from './kinds.testing.ts';
import { EditorStore } from './store.ts';

test('an undo removes deleted nodes and wires from the selection', () => {
  const store = new EditorStore(draftOf(['timer', 'log']));
  store.edit({ code: 'wire', about: '' }, (draft) => connect(draft, wireOf('timer out log'), KINDS));
  store.selectWire('timer out log');
  store.undo();
  expect(store.snapshot().wire).toBeNull();
  store.redo();
  store.select(['log']);
  store.edit({ code: 'delete', about: '' }, (draft) => removeNodes(draft, new Set(['log']), KINDS));
  expect([...store.snapshot().nodes]).toEqual([]);
});

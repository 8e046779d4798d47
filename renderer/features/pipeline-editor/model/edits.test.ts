import { expect, test } from 'vitest';
import { wireOf } from '#common/model/wire-text.ts';
import { wireId, type Draft } from './draft.ts';
import {
  addNode,
  changeSettings,
  connect,
  disconnect,
  insertOnWire,
  makeRoom,
  moveNodes,
  reconnect,
  removeNodes,
  renameNode,
  switchNodes,
} from './edits.ts';
import { draftOf, KINDS, nodeAt } from './kinds.testing.ts';

const wires = (draft: Draft) => draft.wires.map(wireId);

test('a new node gets a free ID and a position on the grid', () => {
  const { draft, id } = addNode(draftOf(['log']), { kind: 'log', position: { x: 31, y: 49 }, settings: {} });
  expect(id).toBe('log-2');
  expect(draft.nodes.at(-1)?.position).toEqual({ x: 40, y: 40 });
});

test('an invalid wire changes nothing, not even the object', () => {
  const draft = draftOf(['timer', 'log'], ['timer out log']);
  for (const wire of ['timer out log', 'log out timer', 'log out log', 'log nowhere timer', 'gone out log'])
    expect(connect(draft, wireOf(wire), KINDS)).toBe(draft);
});

test('a wire moved to an invalid end keeps its place', () => {
  const draft = draftOf(['timer', 'log', 'log:other'], ['timer out log']);
  expect(reconnect(draft, 'timer out log', wireOf('timer out timer'), KINDS)).toBe(draft);
  expect(wires(reconnect(draft, 'timer out log', wireOf('timer out other'), KINDS))).toEqual(['timer out other']);
});

test('a node inserted into a wire is wired in and continues by its first port', () => {
  const draft = draftOf(['timer', 'log', 'validate'], ['timer out log']);
  expect(wires(insertOnWire(draft, 'validate', 'timer out log', KINDS))).toEqual([
    'timer out validate',
    'validate out log',
  ]);
});

test('a node that begins a path cannot be inserted into a wire', () => {
  const draft = draftOf(['timer', 'log', 'timer:second'], ['timer out log']);
  expect(insertOnWire(draft, 'second', 'timer out log', KINDS)).toBe(draft);
});

test('deleting a node of a straight chain joins its neighbours; deleting one with several branches does not', () => {
  const chain = draftOf(['timer', 'log', 'log:last'], ['timer out log', 'log out last']);
  expect(wires(removeNodes(chain, new Set(['log']), KINDS))).toEqual(['timer out last']);
  const fork = draftOf(
    ['timer', 'validate', 'log', 'reply'],
    ['timer out validate', 'validate out log', 'validate invalid reply'],
  );
  expect(wires(removeNodes(fork, new Set(['validate']), KINDS))).toEqual([]);
});

test('deleting several nodes in a row leaves one wire', () => {
  const chain = draftOf(['timer', 'log', 'log:b', 'log:c'], ['timer out log', 'log out b', 'b out c']);
  expect(wires(removeNodes(chain, new Set(['log', 'b']), KINDS))).toEqual(['timer out c']);
});

test('nodes that keep their positions do not count as moved', () => {
  const draft = draftOf(['timer', 'log']);
  expect(moveNodes(draft, new Map([['log', { x: 283, y: 4 }]]))).toBe(draft);
});

test('one port feeds its targets from top to bottom, also after one was moved', () => {
  const draft = draftOf([nodeAt('timer', 0, 0), nodeAt('log:a', 280, 0), nodeAt('log:b', 280, 140)]);
  const wired = connect(connect(draft, wireOf('timer out b'), KINDS), wireOf('timer out a'), KINDS);
  expect(wires(wired)).toEqual(['timer out a', 'timer out b']);
  expect(wires(moveNodes(wired, new Map([['a', { x: 280, y: 280 }]])))).toEqual(['timer out b', 'timer out a']);
});

test('a removed case takes its wire with it', () => {
  const cases = { cases: [{ port: 'urgent' }] };
  const draft = draftOf([nodeAt('switch', 0, 0, cases), 'log'], ['switch urgent log', 'switch otherwise log']);
  expect(wires(changeSettings(draft, 'switch', { cases: [] }, KINDS))).toEqual(['switch otherwise log']);
});

test('switching a node on removes the property, and a blank name is ignored', () => {
  const off = switchNodes(draftOf(['log']), new Set(['log']));
  expect(off.nodes[0]).toHaveProperty('off', true);
  expect(switchNodes(off, new Set(['log'])).nodes[0]).not.toHaveProperty('off');
  expect(renameNode(renameNode(off, 'log', 'Note'), 'log', ' ').nodes[0]).not.toHaveProperty('name');
});

test('a missing wire is not removed', () => {
  expect(wires(disconnect(draftOf(['timer', 'log'], ['timer out log']), 'timer out gone'))).toEqual(['timer out log']);
});

test('a node inserted between two close ones takes the place of the second, which moves with its successors', () => {
  const draft = draftOf(['timer', 'log', 'reply'], ['timer out log', 'log out reply']);
  const { draft: roomy, at } = makeRoom(draft, { x: 140, y: 0 }, 'log', KINDS);
  expect(at).toEqual({ x: 280, y: 0 });
  expect(roomy.nodes.map(({ position }) => position.x)).toEqual([0, 520, 800]);
  expect(makeRoom(draft, { x: 140, y: 200 }, 'log', KINDS)).toEqual({ draft, at: { x: 140, y: 200 } });
});

test('an error path is not joined to the input', () => {
  const draft = draftOf(['timer', 'log', 'log:other'], ['timer out log', 'log error other']);
  expect(wires(removeNodes(draft, new Set(['log']), KINDS))).toEqual([]);
});

test('a renamed case keeps its wires, and a deleted one removes them', () => {
  const cases = (...ports: string[]) => ({ cases: ports.map((port) => ({ port })) });
  const draft = draftOf(
    ['timer', nodeAt('switch', 280, 0, cases('big', 'small')), 'log', 'reply'],
    ['switch big log', 'switch small reply'],
  );
  const after = (...ports: string[]) => wires(changeSettings(draft, 'switch', cases(...ports), KINDS));
  expect(after('large', 'small')).toEqual(['switch large log', 'switch small reply']);
  expect(after('small', 'big')).toEqual(['switch big log', 'switch small reply']);
  expect(after('small')).toEqual(['switch small reply']);
});

test('an edit without an effect returns the same draft', () => {
  const draft = draftOf([{ ...nodeAt('log', 0, 0), name: 'Note' }]);
  expect(renameNode(draft, 'log', ' Note ')).toBe(draft);
  expect(disconnect(draft, 'log out gone')).toBe(draft);
});

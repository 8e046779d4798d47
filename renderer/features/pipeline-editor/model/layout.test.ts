import { expect, test } from 'vitest';
import type { Draft } from './draft.ts';
import { flowOrder } from './flow-order.ts';
import { COLUMN, freeSpot, NODE_WIDTH, placedNodes, spotBehind, type Box } from './geometry.ts';
import { draftOf, KINDS, nodeAt } from './kinds.testing.ts';
import { spread, tidy } from './layout.ts';

const at = ({ nodes }: Draft, id: string) => nodes.find((node) => node.id === id)?.position ?? { x: -1, y: -1 };
const ORDERS = draftOf(
  [
    nodeAt('reply', 0, 0),
    nodeAt('log', 0, 0),
    nodeAt('validate', 0, 0),
    nodeAt('timer', 0, 0),
    nodeAt('reply:bad', 0, 0),
  ],
  ['timer out validate', 'validate out log', 'validate invalid bad', 'log out reply'],
);

test('tidied nodes are on the grid from left to right along the wires, without overlaps', () => {
  const tidied = tidy(ORDERS, KINDS);
  const columns = ['timer', 'validate', 'log', 'reply'].map((id) => at(tidied, id).x);
  expect(columns).toEqual(columns.toSorted((a, b) => a - b));
  expect(new Set(columns).size).toBe(4);
  expect(tidied.nodes.every(({ position }) => position.x % 20 === 0 && position.y % 20 === 0)).toBe(true);
  expect(overlaps(tidied)).toEqual([]);
});

/** A timer, then `count` nodes in sequence. */
const chain = (count: number) => {
  const ids = ['timer', ...Array.from({ length: count }, (_, index) => `log:n${index}`)];
  const wires = ids.slice(1).map((id, index) => `${index === 0 ? 'timer' : `n${index - 1}`} out ${id.slice(4)}`);
  return draftOf(
    ids.map((id) => nodeAt(id, 0, 0)),
    wires,
  );
};

test('a path that is wider than the canvas continues in the next row, 240 px per step', () => {
  const tidied = tidy(chain(6), KINDS, 3);
  const places = ['timer', 'n0', 'n1', 'n2', 'n3', 'n4', 'n5'].map((id) => at(tidied, id));
  expect(places.map(({ x }) => x)).toEqual([0, 240, 480, 0, 240, 480, 0]);
  expect(new Set(places.slice(0, 3).map(({ y }) => y)).size).toBe(1);
  expect(places[3]?.y).toBeGreaterThan(96 + 44);
  expect(places[6]?.y).toBeGreaterThan(places[5]?.y ?? 0);
});

test('branches are below the path that they leave, and no node leaves the columns', () => {
  const wide = draftOf(
    ['timer', 'validate', 'log', 'log:more', 'validate:again', 'reply', 'reply:bad', 'reply:worse'].map((id) =>
      nodeAt(id, 0, 0),
    ),
    [
      'timer out validate',
      'validate out log',
      'validate invalid bad',
      'log out more',
      'more out again',
      'again out reply',
      'again invalid worse',
    ],
  );
  const tidied = tidy(wide, KINDS, 4);
  expect(at(tidied, 'bad')).toEqual({ x: 480, y: at(tidied, 'log').y + 140 });
  expect(at(tidied, 'again').x).toBe(0);
  expect(at(tidied, 'again').y).toBeGreaterThan(at(tidied, 'bad').y);
  expect(at(tidied, 'worse').y).toBeGreaterThan(at(tidied, 'reply').y);
  expect(Math.max(...tidied.nodes.map(({ position }) => position.x))).toBeLessThanOrEqual(3 * COLUMN);
});

test('no graph has overlapping nodes, and the same graph always has the same layout', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const draft = randomDraft(seed);
    const columns = 3 + (seed % 5);
    const tidied = tidy(draft, KINDS, columns);
    expect(overlaps(tidied), `seed ${seed}`).toEqual([]);
    expect(tidy(draft, KINDS, columns)).toEqual(tidied);
    expect(tidied.nodes.every(({ position: { x, y } }) => x % 20 === 0 && y % 20 === 0)).toBe(true);
    expect(Math.max(...tidied.nodes.map(({ position }) => position.x))).toBeLessThanOrEqual((columns - 1) * COLUMN);
  }
});

test('two pipelines in one draft are laid out below each other, and lone nodes fill rows', () => {
  const two = draftOf(
    ['timer', 'log', 'timer:other', 'log:last', 'reply:a', 'reply:b', 'reply:c', 'reply:d'].map((id) =>
      nodeAt(id, 0, 0),
    ),
    ['timer out log', 'other out last'],
  );
  const tidied = tidy(two, KINDS, 3);
  expect(at(tidied, 'other')).toEqual({ x: 0, y: 160 });
  expect(['a', 'b', 'c', 'd'].map((id) => at(tidied, id).x)).toEqual([0, 240, 480, 0]);
});

test('a node added after another moves to the next row at the edge of the canvas', () => {
  const row = [0, 240, 480].map((x) => ({ x, y: 40, width: NODE_WIDTH, height: 96 }));
  const last: Box = { x: 480, y: 40, width: NODE_WIDTH, height: 96 };
  expect(spotBehind(row, last, 4)).toEqual({ x: 720, y: 40 });
  expect(spotBehind(row, last, 3)).toEqual({ x: 0, y: 180 });
  const beyond: Box = { x: 960, y: 40, width: NODE_WIDTH, height: 96 };
  expect(spotBehind([...row, beyond], beyond, 3), 'drawn wider by hand').toEqual({ x: 1200, y: 40 });
});

test('loops and lone nodes are laid out too, and an empty draft is unchanged', () => {
  const loop = draftOf(
    ['timer', 'validate', 'log', 'reply:lone'],
    ['timer out validate', 'validate out log', 'log out validate'],
  );
  expect(tidy(loop, KINDS).nodes).toHaveLength(4);
  const tidied = tidy(loop, KINDS);
  expect(tidy(tidied, KINDS), 'tidied twice').toBe(tidied);
  const empty = draftOf([]);
  expect(tidy(empty, KINDS)).toBe(empty);
});

test('nodes at the same position are spread, and nodes with their own positions keep them', () => {
  const spreadOut = spread(ORDERS, KINDS);
  expect(spreadOut).toEqual(tidy(ORDERS, KINDS));
  const placed = draftOf([nodeAt('timer', 0, 0), nodeAt('log', 0, 0), nodeAt('reply', 0, 20)], ['timer out log']);
  expect(spread(placed, KINDS)).toBe(placed);
  const lone = draftOf([nodeAt('timer', 40, 40)]);
  expect(spread(lone, KINDS)).toBe(lone);
});

test('the flow runs from each start along the wires, the first port first', () => {
  expect(flowOrder(ORDERS, KINDS)).toEqual(['timer', 'validate', 'log', 'reply', 'bad']);
});

test('every node has a position in the flow, including loops that no wire leads into', () => {
  const loop = draftOf(['log:a', 'log:b', 'timer'], ['a out b', 'b out a']);
  expect(flowOrder(loop, KINDS).toSorted()).toEqual(['a', 'b', 'timer']);
});

test('a new node takes the next free position below', () => {
  const boxes = [{ x: 0, y: 0, width: 216, height: 96 }];
  expect(freeSpot(boxes, { x: 20, y: 0 })).toEqual({ x: 20, y: 140 });
  expect(freeSpot(boxes, { x: 280, y: 0 })).toEqual({ x: 280, y: 0 });
});

/** A draft of any shape, with branches, joins and loops. */
function randomDraft(seed: number): Draft {
  let state = seed;
  const next = (below: number) => {
    state = (state * 16_807) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
  const kinds = ['log', 'validate', 'switch'];
  const count = 4 + next(30);
  const cases = { cases: Array.from({ length: 3 }, (_, index) => ({ port: `way${index}` })) };
  const nodes = Array.from({ length: count }, (_, index) =>
    nodeAt(`${index === 0 ? 'timer' : (kinds[next(3)] ?? 'log')}:n${index}`, 0, 0, cases),
  );
  const wires = Array.from({ length: next(2 * count) }, () => `n${next(count)} out n${1 + next(count - 1)}`);
  return draftOf(nodes, [...new Set(wires)]);
}

function overlaps(draft: Draft): string[] {
  const boxes = placedNodes(draft, KINDS, null);
  return boxes.flatMap((box, index) =>
    boxes.slice(index + 1).flatMap((other) => (overlap(box, other) ? [`${box.id} ${other.id}`] : [])),
  );
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

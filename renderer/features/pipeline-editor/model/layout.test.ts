import { expect, test } from 'vitest';
import type { Draft } from './draft.ts';
import { flowOrder } from './flow-order.ts';
import { freeSpot, placedNodes, type Box } from './geometry.ts';
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

test('tidied nodes stand on the grid from left to right along the wires, none on another', () => {
  const tidied = tidy(ORDERS, KINDS);
  const columns = ['timer', 'validate', 'log', 'reply'].map((id) => at(tidied, id).x);
  expect(columns).toEqual(columns.toSorted((a, b) => a - b));
  expect(new Set(columns).size).toBe(4);
  expect(tidied.nodes.every(({ position }) => position.x % 20 === 0 && position.y % 20 === 0)).toBe(true);
  const boxes = placedNodes(tidied, KINDS, null);
  for (const [index, box] of boxes.entries())
    for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false);
});

test('a loop and lone nodes are laid out too, and an empty draft stays as it is', () => {
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

test('nodes at one position are spread; nodes with their own positions keep them', () => {
  const spreadOut = spread(ORDERS, KINDS);
  expect(spreadOut).toEqual(tidy(ORDERS, KINDS));
  const placed = draftOf([nodeAt('timer', 0, 0), nodeAt('log', 0, 0), nodeAt('reply', 0, 20)], ['timer out log']);
  expect(spread(placed, KINDS)).toBe(placed);
  const lone = draftOf([nodeAt('timer', 40, 40)]);
  expect(spread(lone, KINDS)).toBe(lone);
});

test('the flow goes from each beginning along the wires, the first port first', () => {
  expect(flowOrder(ORDERS, KINDS)).toEqual(['timer', 'validate', 'log', 'reply', 'bad']);
});

test('every node has its place in the flow, also those in a loop that nothing leads into', () => {
  const loop = draftOf(['log:a', 'log:b', 'timer'], ['a out b', 'b out a']);
  expect(flowOrder(loop, KINDS).toSorted()).toEqual(['a', 'b', 'timer']);
});

test('a new node takes the next free spot below', () => {
  const boxes = [{ x: 0, y: 0, width: 216, height: 96 }];
  expect(freeSpot(boxes, { x: 20, y: 0 })).toEqual({ x: 20, y: 140 });
  expect(freeSpot(boxes, { x: 280, y: 0 })).toEqual({ x: 280, y: 0 });
});

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

import { expect, test } from 'vitest';
import type { Point } from './draft.ts';
import { drawnWires, redrawnWires } from './drawn-wires.ts';
import { placedNodes, type Box } from './geometry.ts';
import { draftOf, KINDS, nodeAt } from './kinds.testing.ts';
import { distanceTo, labelSpot, roundedPath } from './wire-path.ts';

/** The pipeline for which the editor was designed: three columns, wires that run back between the rows. */
const ROWS = draftOf(
  [
    nodeAt('timer', 0, 0),
    nodeAt('validate', 280, 0),
    nodeAt('log:row', 560, 0),
    nodeAt('reply:r400', 0, 140),
    nodeAt('reply:r201', 280, 140),
    nodeAt('log:insert', 560, 140),
    nodeAt('reply:erp', 280, 280),
    nodeAt('reply:r503', 560, 280),
  ],
  [
    'timer out validate',
    'validate out row',
    'validate invalid r400',
    'row out insert',
    'insert out r201',
    'insert out erp',
    'insert error r503',
  ],
);

test('wires run horizontally and vertically, from port to port, around every node', () => {
  const boxes = placedNodes(ROWS, KINDS, null);
  const wires = drawnWires(ROWS, KINDS);
  expect(wires).toHaveLength(7);
  for (const { points } of wires) {
    expect(points.length).toBeGreaterThan(1);
    for (const [a, b] of pieces(points)) {
      expect(a.x === b.x || a.y === b.y).toBe(true);
      for (const box of boxes) expect(cuts(box, a, b)).toBe(false);
    }
  }
});

test('a wire to a node at the same height is one straight segment', () => {
  const wire = drawnWires(ROWS, KINDS).find(({ wire }) => wire.from === 'timer');
  expect(wire?.points).toEqual([
    { x: 216, y: 48 },
    { x: 280, y: 48 },
  ]);
});

test('a wire to a node further along the row goes around the nodes between', () => {
  const row = draftOf(['timer', 'log', 'reply'], ['timer out reply']);
  const [wire] = drawnWires(row, KINDS);
  const boxes = placedNodes(row, KINDS, null);
  for (const [a, b] of pieces(wire?.points ?? [])) for (const box of boxes) expect(cuts(box, a, b)).toBe(false);
});

test('wires of different ports do not overlap', () => {
  const wires = drawnWires(ROWS, KINDS).filter(({ wire }) => wire.to !== 'r201');
  for (const [index, one] of wires.entries())
    for (const other of wires.slice(index + 1)) expect(lieTogether(one.points, other.points)).toBe(false);
});

test('wires of one port share their path', () => {
  const [first, second] = drawnWires(ROWS, KINDS).filter(({ wire }) => wire.from === 'insert' && wire.port === 'out');
  expect(lieTogether(first?.points ?? [], second?.points ?? [])).toBe(true);
});

test('the wires of a moving node follow it, and the others remain the same objects', () => {
  const before = drawnWires(ROWS, KINDS);
  const after = redrawnWires(before, ROWS, KINDS, new Map([['r400', { x: 0, y: 200 }]]));
  const changed = after.filter((drawn, index) => drawn !== before[index]);
  expect(changed.map(({ wire }) => wire.to)).toEqual(['r400']);
  expect(changed[0]?.points.at(-1)).toEqual({ x: 0, y: 248 });
});

test('500 nodes with 500 wires are routed within a second', () => {
  const nodes = Array.from({ length: 500 }, (_, index) =>
    nodeAt(`log:n${index}`, (index % 25) * 280, Math.floor(index / 25) * 140),
  );
  const wires = nodes.slice(1).map((_, index) => `n${index} out n${index + 1}`);
  const began = performance.now();
  expect(drawnWires(draftOf(nodes, wires), KINDS)).toHaveLength(499);
  expect(performance.now() - began).toBeLessThan(1000);
});

test('corners are rounded as far as there is room', () => {
  const corner = [
    { x: 0, y: 0 },
    { x: 40, y: 0 },
    { x: 40, y: 8 },
    { x: 80, y: 8 },
  ];
  expect(roundedPath(corner)).toBe('M0 0L36 0Q40 0 40 4L40 4Q40 8 44 8L80 8');
});

test('a label is in the middle of the longest horizontal segment', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 14, y: 0 },
    { x: 14, y: 60 },
    { x: 114, y: 60 },
  ];
  expect(labelSpot(points)).toEqual({ at: { x: 64, y: 60 }, room: 100 });
  expect(distanceTo(points, { x: 64, y: 70 })).toBe(10);
});

function pieces(points: readonly Point[]): [Point, Point][] {
  return points.slice(1).map((b, index) => [points[index] ?? b, b]);
}

/** Whether a segment crosses the inside of a box. */
function cuts({ x, y, width, height }: Box, a: Point, b: Point): boolean {
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
  return left < x + width && right > x && top < y + height && bottom > y;
}

function lieTogether(one: readonly Point[], other: readonly Point[]): boolean {
  return pieces(one).some(([a, b]) => pieces(other).some(([c, d]) => alike(a, b, c, d)));
}

/** Two parallel segments that are closer than the width of a wire over some length. */
function alike(a: Point, b: Point, c: Point, d: Point): boolean {
  const along = (low: 'x' | 'y', side: 'x' | 'y') =>
    a[side] === b[side] &&
    c[side] === d[side] &&
    Math.abs(a[side] - c[side]) < 4 &&
    Math.min(Math.max(a[low], b[low]), Math.max(c[low], d[low])) -
      Math.max(Math.min(a[low], b[low]), Math.min(c[low], d[low])) >
      4;
  return along('x', 'y') || along('y', 'x');
}

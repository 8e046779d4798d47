import type { Point } from './draft.ts';

/** The path of a wire through its points. */

/** An SVG path through the points with round corners. */
export function roundedPath(points: readonly Point[], radius = 10): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  let path = `M${first.x} ${first.y}`;
  let before = first;
  for (const [index, corner] of rest.entries()) {
    const next = rest[index + 1];
    if (next === undefined) return `${path}L${corner.x} ${corner.y}`;
    const round = Math.min(radius, distance(before, corner) / 2, distance(corner, next) / 2);
    const a = towards(corner, before, round);
    const b = towards(corner, next, round);
    path += `L${a.x} ${a.y}Q${corner.x} ${corner.y} ${b.x} ${b.y}`;
    before = corner;
  }
  return path;
}

function distance(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

function towards(from: Point, to: Point, by: number): Point {
  return { x: from.x + Math.sign(to.x - from.x) * by, y: from.y + Math.sign(to.y - from.y) * by };
}

/** The middle of the longest horizontal segment, where a label has the most room, and its length. */
export function labelSpot(points: readonly Point[]): { at: Point; room: number } {
  let best = { at: points[0] ?? { x: 0, y: 0 }, room: 0 };
  for (let index = 1; index < points.length; index++) {
    const a = points[index - 1];
    const b = points[index];
    if (a === undefined || b === undefined || a.y !== b.y) continue;
    const room = Math.abs(a.x - b.x);
    if (room > best.room) best = { at: { x: (a.x + b.x) / 2, y: a.y }, room };
  }
  return best;
}

/** Distance of a point from a wire, px. */
export function distanceTo(points: readonly Point[], { x, y }: Point): number {
  let least = Infinity;
  for (let index = 1; index < points.length; index++) {
    const a = points[index - 1];
    const b = points[index];
    if (a === undefined || b === undefined) continue;
    const dx = x - Math.min(Math.max(x, Math.min(a.x, b.x)), Math.max(a.x, b.x));
    const dy = y - Math.min(Math.max(y, Math.min(a.y, b.y)), Math.max(a.y, b.y));
    least = Math.min(least, Math.hypot(dx, dy));
  }
  return least;
}

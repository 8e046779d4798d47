import type { Point } from './draft.ts';
import type { Box } from './geometry.ts';
import { Occupied } from './occupied.ts';
import { plainShapes, roundShapes, type Shape, type WireEnds } from './route-shapes.ts';

/**
 * Routes of wires: horizontal and vertical segments around nodes, and beside rather than on top of each other. For each
 * wire, a few shapes through nearby gaps are tried and the cheapest is used; short wires are routed first. Wires of one
 * port share segments as far as possible.
 */
const PRICE = { bend: 24, node: 4000, along: 90, shared: 0.3 } as const;
/** A wire that leads back is routed around the outside. */
const BACK = 300;
const LAST = 100_000;

export function routeWires(boxes: readonly Box[], wires: readonly WireEnds[]): Map<string, Point[]> {
  const occupied = new Occupied(boxes);
  const routes = new Map<string, Point[]>();
  for (const wire of wires.toSorted((a, b) => span(a) - span(b))) {
    const route = cheapest(wire, occupied);
    routes.set(wire.id, route);
    occupied.addWire(route, wire.from, wire.to);
  }
  return routes;
}

function span({ start, end, leaves }: WireEnds): number {
  // The error wire has a lower priority.
  const last = leaves === 'down' ? LAST : 0;
  return last + Math.abs(end.y - start.y) + (end.x > start.x ? end.x - start.x : 2 * (start.x - end.x) + BACK);
}

function cheapest(wire: WireEnds, occupied: Occupied): Point[] {
  const plain = best(plainShapes(wire), wire, occupied, null);
  // A lower bound for routes around nodes.
  const round = Math.abs(wire.end.x - wire.start.x) + Math.abs(wire.end.y - wire.start.y) + 3 * PRICE.bend;
  if (plain !== null && plain.cost <= round) return plain.route;
  return best(roundShapes(wire, occupied), wire, occupied, plain)?.route ?? [wire.start, wire.end];
}

interface Found {
  route: Point[];
  cost: number;
}

function best(among: Iterable<Shape>, wire: WireEnds, occupied: Occupied, before: Found | null): Found | null {
  let found = before;
  for (const { route, price } of among) {
    const cost = costOf(route, wire, occupied, price, found?.cost ?? Infinity);
    if (found === null || cost < found.cost) found = { route, cost };
  }
  return found;
}

/** Stops as soon as the shape cannot win: usually because of its length alone. */
function costOf(route: Point[], { from, to }: WireEnds, occupied: Occupied, price: number, limit: number): number {
  let cost = price + (route.length - 2) * PRICE.bend + lengthOf(route);
  if (!occupied.hasFrom(from) && cost >= limit) return cost;
  for (let index = 1; index < route.length; index++) {
    const a = route[index - 1];
    const b = route[index];
    if (a === undefined || b === undefined) continue;
    const { met, shared } = occupied.wiresMet(a, b, from, to);
    cost += met * PRICE.along - shared * (1 - PRICE.shared);
  }
  if (cost >= limit) return cost;
  for (let index = 1; index < route.length; index++) {
    const a = route[index - 1];
    const b = route[index];
    if (a === undefined || b === undefined) continue;
    if (occupied.hitsNode(a, b, { first: index === 1, last: index === route.length - 1 })) cost += PRICE.node;
    if (cost >= limit) return cost;
  }
  return cost;
}

function lengthOf(route: readonly Point[]): number {
  let length = 0;
  for (let index = 1; index < route.length; index++) {
    const a = route[index - 1];
    const b = route[index];
    if (a !== undefined && b !== undefined) length += Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
  }
  return length;
}

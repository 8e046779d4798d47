import type { Point } from './draft.ts';
import type { Occupied } from './occupied.ts';

/** Possible routes of a wire, the simple ones first. */
export interface WireEnds {
  id: string;
  start: Point;
  /** The error port is at the bottom of its node. */
  leaves: 'right' | 'down';
  /** Every wire arrives from the left. */
  end: Point;
  /** Wires of the same port, or to the same node, may share segments. */
  from: string;
  to: string;
}

export interface Shape {
  route: Point[];
  /** A penalty in addition to its length and bends. */
  price: number;
}

/** From a port to the first bend, and from the last bend to the input port. */
const STUB_OUT = 14;
const STUB_IN = 16;
/** Half the normal gap between rows. */
const CHANNEL = 22;
/** Offsets from an existing wire. */
const LANES = [0, 11, -11, 6, -6] as const;
const OUTER_LANES = [0, 9, 18] as const;
const LANE_PRICE = 3;
const CHANNELS_MAX = 14;
/** The largest distance at which a gap is searched, px. */
const NEAR = 300;

/** Without leaving the space between the two nodes. */
export function* plainShapes({ start, end, leaves }: WireEnds): Generator<Shape> {
  if (leaves === 'down') {
    if (end.y > start.y + STUB_OUT && end.x > start.x + STUB_OUT)
      yield { route: [start, { x: start.x, y: end.y }, end], price: 0 };
    return;
  }
  if (end.x - start.x >= 8 && Math.abs(end.y - start.y) < 1)
    yield { route: [start, { x: end.x, y: start.y }], price: 0 };
  if (end.x - start.x >= 24) yield* steps(start, end);
}

/** Through the gaps between rows. */
export function* roundShapes(wire: WireEnds, occupied: Occupied): Generator<Shape> {
  const { start, end, leaves } = wire;
  if (leaves === 'down') return yield* downShapes(wire, occupied);
  for (const { y, price } of channels(wire, occupied))
    for (const out of OUTER_LANES)
      for (const into of OUTER_LANES)
        yield {
          route: around(start, start.x + STUB_OUT + out, y, end.x - STUB_IN - into, end),
          price: price + out + into,
        };
}

/** Right, up or down, right. */
function* steps(start: Point, end: Point): Generator<Shape> {
  const middle = (start.x + end.x) / 2;
  for (const lane of LANES)
    for (const x of [middle + lane, start.x + STUB_OUT + lane, end.x - STUB_IN - lane])
      if (x >= start.x + 6 && x <= end.x - 6)
        yield { route: [start, { x, y: start.y }, { x, y: end.y }, end], price: Math.abs(lane) };
}

function* downShapes(wire: WireEnds, occupied: Occupied): Generator<Shape> {
  const { start, end } = wire;
  for (const { y, price } of channels(wire, occupied)) {
    if (y < start.y + 10) continue;
    for (const lane of OUTER_LANES) {
      const x = end.x - STUB_IN - lane;
      yield { route: [start, { x: start.x, y }, { x, y }, { x, y: end.y }, end], price: price + lane };
    }
  }
}

function around(start: Point, out: number, y: number, into: number, end: Point): Point[] {
  return [start, { x: out, y: start.y }, { x: out, y }, { x: into, y }, { x: into, y: end.y }, end];
}

/** The gaps above and below the nodes near the wire, the closest first. */
function channels({ start, end }: WireEnds, occupied: Occupied): { y: number; price: number }[] {
  const [top, bottom] = [Math.min(start.y, end.y), Math.max(start.y, end.y)];
  const [left, right] = [Math.min(start.x, end.x), Math.max(start.x, end.x)];
  const levels = new Set<number>();
  for (const box of occupied.boxesIn(left - NEAR / 2, top - NEAR, right + NEAR / 2, bottom + NEAR))
    for (const level of [box.y - CHANNEL, box.y + box.height + CHANNEL]) levels.add(Math.round(level));
  const away = (y: number) => (y < top ? top - y : y > bottom ? y - bottom : 0);
  const nearest = [...levels].toSorted((a, b) => away(a) - away(b)).slice(0, CHANNELS_MAX);
  return nearest.flatMap((level) => LANES.map((lane) => ({ y: level + lane, price: Math.abs(lane) * LANE_PRICE })));
}

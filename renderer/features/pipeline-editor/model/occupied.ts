import type { Point } from './draft.ts';
import type { Box } from './geometry.ts';

/** Positions of existing nodes and wires, queried thousands of times during routing: in the cells of a grid. */
const CELL = 320;
/** Minimum distance of a wire from other nodes, px. */
const CLEAR = 7;
/** Wires closer than this look like one, px. */
const APART = 6;
/** An overlap shorter than this is a crossing. */
const TOUCH = 4;

interface Piece {
  from: string;
  to: string;
  /** The y of a horizontal segment, the x of a vertical one. */
  at: number;
  low: number;
  high: number;
}

export class Occupied {
  readonly #boxes = new Map<string, Box[]>();
  readonly #level = new Map<number, Piece[]>();
  readonly #upright = new Map<number, Piece[]>();
  readonly #froms = new Set<string>();

  constructor(boxes: readonly Box[]) {
    for (const box of boxes)
      for (const cell of cells(box.x - CLEAR, box.y - CLEAR, box.x + box.width + CLEAR, box.y + box.height + CLEAR))
        put(this.#boxes, cell, box);
  }

  boxesIn(left: number, top: number, right: number, bottom: number): Set<Box> {
    const found = new Set<Box>();
    for (const cell of cells(left, top, right, bottom))
      for (const box of this.#boxes.get(cell) ?? [])
        if (box.x < right && box.x + box.width > left && box.y < bottom && box.y + box.height > top) found.add(box);
    return found;
  }

  /**
   * Whether a segment crosses a node, or passes too closely. `first`, `last`: it begins or ends at a port, and may
   * touch.
   */
  hitsNode(a: Point, b: Point, { first, last }: { first: boolean; last: boolean }): boolean {
    const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
    const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
    for (const cell of cells(left, top, right, bottom))
      for (const box of this.#boxes.get(cell) ?? []) {
        const own = (first && touches(box, a)) || (last && touches(box, b));
        const clear = own ? 0 : CLEAR;
        const apart =
          left >= box.x + box.width + clear ||
          right <= box.x - clear ||
          top >= box.y + box.height + clear ||
          bottom <= box.y - clear;
        if (!apart) return true;
      }
    return false;
  }

  hasFrom(from: string): boolean {
    return this.#froms.has(from);
  }

  /**
   * The number of segments of other wires that it overlaps, and the length of overlap with those of its own port, px.
   */
  wiresMet(a: Point, b: Point, from: string, to: string): { met: number; shared: number } {
    const isLevel = a.y === b.y;
    const at = isLevel ? a.y : a.x;
    const [low, high] = isLevel ? [Math.min(a.x, b.x), Math.max(a.x, b.x)] : [Math.min(a.y, b.y), Math.max(a.y, b.y)];
    let met = 0;
    let shared = 0;
    for (const piece of nearPieces(isLevel ? this.#level : this.#upright, at)) {
      const along = Math.min(high, piece.high) - Math.max(low, piece.low);
      if (along <= 0 || Math.abs(piece.at - at) >= APART) continue;
      if (piece.from === from) shared = Math.max(shared, piece.at === at ? along : 0);
      else if (piece.to !== to && along > TOUCH) met++;
    }
    return { met, shared };
  }

  addWire(points: readonly Point[], from: string, to: string): void {
    this.#froms.add(from);
    for (let index = 1; index < points.length; index++) {
      const a = points[index - 1];
      const b = points[index];
      if (a === undefined || b === undefined) continue;
      if (a.y === b.y) this.#add(this.#level, { from, to, at: a.y, low: Math.min(a.x, b.x), high: Math.max(a.x, b.x) });
      else this.#add(this.#upright, { from, to, at: a.x, low: Math.min(a.y, b.y), high: Math.max(a.y, b.y) });
    }
  }

  #add(pieces: Map<number, Piece[]>, piece: Piece): void {
    put(pieces, Math.floor(piece.at / APART), piece);
  }
}

function* nearPieces(pieces: ReadonlyMap<number, Piece[]>, at: number): Generator<Piece> {
  const bucket = Math.floor(at / APART);
  for (const key of [bucket - 1, bucket, bucket + 1]) yield* pieces.get(key) ?? [];
}

function touches({ x, y, width, height }: Box, point: Point): boolean {
  return point.x >= x - 1 && point.x <= x + width + 1 && point.y >= y - 1 && point.y <= y + height + 1;
}

function* cells(left: number, top: number, right: number, bottom: number): Generator<string> {
  for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x++)
    for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y++) yield `${x} ${y}`;
}

function put<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

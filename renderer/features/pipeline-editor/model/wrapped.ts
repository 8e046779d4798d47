import { GRID, type DraftWire, type Point } from './draft.ts';
import { COLUMN, ROW_GAP } from './geometry.ts';
import { ERROR_PORT } from './ports.ts';

/** A graph laid out in bands of at most `columns` columns, one band below the other. */
export interface WrapInput {
  /** In the order of the flow. */
  ids: readonly string[];
  /** Wires of other nodes are ignored. */
  wires: readonly DraftWire[];
  heights: ReadonlyMap<string, number>;
  columns: number;
}

/** Between bands: a wire leads back to the left here, with its label. */
const BAND_GAP = 20;

/** Nodes do not overlap, and are on the grid. `height`: where the next graph may begin. */
export function wrapped(input: WrapInput): { places: Map<string, Point>; height: number } {
  const ranks = ranksOf(input);
  const places = new Map<string, Point>();
  let top = 0;
  for (const [, ids] of [...Map.groupBy(input.ids, (id) => bandOf(ranks, id, input.columns))].toSorted(byNumber)) {
    const rows = rowsOf(ids, ranks, input.wires);
    const tops = topsOf(rows, input.heights, top);
    for (const [id, row] of rows)
      places.set(id, { x: ((ranks.get(id) ?? 0) % input.columns) * COLUMN, y: tops[row] ?? top });
    top = (tops.at(-1) ?? top) + BAND_GAP;
  }
  return { places, height: top };
}

const bandOf = (ranks: ReadonlyMap<string, number>, id: string, columns: number) =>
  Math.floor((ranks.get(id) ?? 0) / columns);

const byNumber = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]) => a - b;

/** The upper edge of each row, and of the space after the last one. */
function topsOf(rows: ReadonlyMap<string, number>, heights: ReadonlyMap<string, number>, top: number): number[] {
  const tops = [top];
  for (let row = 0; row <= Math.max(...rows.values()); row++) {
    const inRow = [...rows].filter(([, its]) => its === row);
    const height = Math.max(0, ...inRow.map(([id]) => heights.get(id) ?? 0));
    tops.push((tops[row] ?? top) + Math.ceil((height + ROW_GAP) / GRID) * GRID);
  }
  return tops;
}

/** In the row of its source, unless an earlier node occupies the place. */
function rowsOf(ids: readonly string[], ranks: ReadonlyMap<string, number>, wires: readonly DraftWire[]) {
  const rows = new Map<string, number>();
  const columns = [...Map.groupBy(ids, (id) => ranks.get(id) ?? 0)].toSorted(byNumber);
  for (const [rank, column] of columns) {
    const wanted = (id: string) => {
      const into = wires.filter((wire) => wire.to === id && (ranks.get(wire.from) ?? rank) < rank);
      return Math.min(
        ...into.map((wire) => (rows.get(wire.from) ?? Infinity) + (givesWay(wire, wires, ranks) ? 1 : 0)),
      );
    };
    let next = 0;
    for (const { id, row } of column.map((one) => ({ id: one, row: wanted(one) })).toSorted((a, b) => order(a, b))) {
      const own = Math.max(next, Number.isFinite(row) ? row : 0);
      rows.set(id, own);
      next = own + 1;
    }
  }
  return rows;
}

/** A branch of a node whose main path passes the branch's column: the row is left to that wire. */
function givesWay(wire: DraftWire, wires: readonly DraftWire[], ranks: ReadonlyMap<string, number>): boolean {
  const rank = ranks.get(wire.to) ?? 0;
  const before = wire.port === ERROR_PORT ? wires : wires.slice(0, wires.indexOf(wire));
  return before.some(({ from, port, to }) => from === wire.from && port !== ERROR_PORT && (ranks.get(to) ?? 0) > rank);
}

/** Nodes without a source in the band come last, in the order of the flow. */
function order(a: { row: number }, b: { row: number }): number {
  return a.row === b.row ? 0 : a.row - b.row;
}

/** One more than the last node that leads to it. Unconnected nodes follow each other. */
function ranksOf({ ids, wires }: WrapInput): Map<string, number> {
  const own = new Set(ids);
  const inside = wires.filter(({ from, to }) => own.has(from) && own.has(to));
  if (inside.length === 0) return new Map(ids.map((id, index) => [id, index]));
  const { order: flow, forward } = withoutLoops(ids, inside);
  const ranks = new Map(ids.map((id) => [id, 0]));
  for (const id of flow)
    for (const { to } of forward.get(id) ?? []) ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(id) ?? 0) + 1));
  return ranks;
}

/** Topological order, without the wires that close a loop. */
function withoutLoops(ids: readonly string[], wires: readonly DraftWire[]) {
  const leaving = Map.groupBy(wires, ({ from }) => from);
  const forward = new Map<string, DraftWire[]>();
  const open = new Set<string>();
  const left: string[] = [];
  const visit = (id: string): void => {
    open.add(id);
    const kept = (leaving.get(id) ?? []).filter(({ to }) => !open.has(to) || forward.has(to));
    for (const { to } of kept) if (!forward.has(to) && !open.has(to)) visit(to);
    forward.set(id, kept);
    left.push(id);
  };
  for (const id of ids) if (!open.has(id)) visit(id);
  return { order: left.toReversed(), forward };
}

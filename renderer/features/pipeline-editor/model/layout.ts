import { snapped, type Draft, type Point } from './draft.ts';
import { moveNodes } from './edits.ts';
import { flowOrder } from './flow-order.ts';
import { placedNodes } from './geometry.ts';
import type { Kinds } from './ports.ts';
import { wrapped, type WrapInput } from './wrapped.ts';

/** Columns in the canvas of a 1280 px window at 100 %, without panels. */
export const COLUMNS_USUAL = 4;

/**
 * _Tidy_: from left to right, continued in the next row at the end of the canvas, like lines of text; the main path at
 * the top. Every node gets a position; nothing else changes.
 */
export function tidy(draft: Draft, kinds: Kinds, columns = COLUMNS_USUAL): Draft {
  const heights = new Map(placedNodes(draft, kinds, null).map(({ id, height }) => [id, height]));
  const places = new Map<string, Point>();
  let top = 0;
  for (const ids of partsOf(draft, flowOrder(draft, kinds))) {
    const part: WrapInput = { ids, wires: draft.wires, heights, columns };
    const { places: own, height } = wrapped(part);
    for (const [id, { x, y }] of own) places.set(id, snapped({ x, y: y + top }));
    top += height;
  }
  return moveNodes(draft, places);
}

/** Connected components, each in the order of the flow; unconnected nodes come last, as one component. */
function partsOf({ wires }: Draft, order: readonly string[]): string[][] {
  const heads = new Map(order.map((id) => [id, id]));
  const headOf = (id: string): string => {
    const head = heads.get(id) ?? id;
    return head === id ? id : headOf(head);
  };
  for (const { from, to } of wires) if (heads.has(from) && heads.has(to)) heads.set(headOf(to), headOf(from));
  const parts = Map.groupBy(order, headOf);
  const joined = [...parts.values()].filter((ids) => ids.length > 1);
  const lone = [...parts.values()].filter((ids) => ids.length === 1).flat();
  return lone.length === 0 ? joined : [...joined, lone];
}

/**
 * A pipeline that was created by a program has no positions, and all its nodes overlap. It is shown with a layout,
 * whose positions are saved with the first change.
 */
export function spread(draft: Draft, kinds: Kinds): Draft {
  const [first, ...others] = draft.nodes;
  if (first === undefined || others.length === 0) return draft;
  const { x, y } = first.position;
  return others.every(({ position }) => position.x === x && position.y === y) ? tidy(draft, kinds) : draft;
}

import { graphlib, layout } from '@dagrejs/dagre';
import { GRID, snapped, type Draft, type Point } from './draft.ts';
import { moveNodes } from './edits.ts';
import { placedNodes } from './geometry.ts';
import type { Kinds } from './ports.ts';
import { flowOrder } from './flow-order.ts';

/** Gaps that leave room for wires and their labels, px. */
const BETWEEN_ROWS = 44;
const BETWEEN_COLUMNS = 84;

/** *Tidy*: left to right, the main path on top. Every node gets a place; nothing else changes. */
export function tidy(draft: Draft, kinds: Kinds): Draft {
  if (draft.nodes.length === 0) return draft;
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: BETWEEN_ROWS, ranksep: BETWEEN_COLUMNS, marginx: GRID, marginy: GRID });
  const boxes = new Map(placedNodes(draft, kinds, null).map((box) => [box.id, box]));
  for (const id of flowOrder(draft, kinds)) {
    const box = boxes.get(id);
    if (box !== undefined) graph.setNode(id, { width: box.width, height: box.height });
  }
  for (const { from, port, to } of draft.wires)
    if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to, { weight: port === 'error' ? 1 : 2 }, port);
  layout(graph);
  const place = (id: string, before: Point): Point => {
    const { x, y, width, height } = graph.node(id);
    return x === undefined || y === undefined ? before : snapped({ x: x - width / 2, y: y - height / 2 });
  };
  return moveNodes(draft, new Map(draft.nodes.map(({ id, position }) => [id, place(id, position)])));
}

/**
 * A pipeline that a program made has no places, and all its nodes lie on each other. It is shown laid out; with the first
 * change the places are saved like any others.
 */
export function spread(draft: Draft, kinds: Kinds): Draft {
  const [first, ...others] = draft.nodes;
  if (first === undefined || others.length === 0) return draft;
  const { x, y } = first.position;
  return others.every(({ position }) => position.x === x && position.y === y) ? tidy(draft, kinds) : draft;
}

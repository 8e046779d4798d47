import type { EditorActions } from './editor-actions.ts';
import { add, addOnWire } from './edit-acts.ts';
import { snapped, wireId, type Point } from '../model/draft.ts';
import { drawnWires } from '../model/drawn-wires.ts';
import { NODE_WIDTH } from '../model/geometry.ts';
import { distanceTo } from '../model/wire-path.ts';
import { takesInput, type Choice } from '../model/choices.ts';

/** A kind from the palette was dropped on the canvas: on a free place, or on a wire. */
const NEAR_WIRE = 24;

export function placeOnGround(desk: EditorActions, choice: Choice, screen: Point): void {
  const at = desk.flow.screenToFlowPosition(screen);
  const wire = wireNear(desk, choice, at);
  const corner = snapped({ x: at.x - NODE_WIDTH / 2, y: at.y - 48 });
  desk.canvas.set({ placing: null, dragged: null, hotWire: null });
  if (wire === null) return add(desk, choice, corner);
  addOnWire(desk, choice, wire, corner);
}

/** The wire at a position on the canvas into which a node of this kind can be inserted. */
export function wireNear(desk: EditorActions, choice: Choice, at: Point): string | null {
  if (!takesInput(choice, desk.kinds)) return null;
  let best: { id: string; away: number } | null = null;
  for (const { wire, points } of drawnWires(desk.store.snapshot().draft, desk.kinds)) {
    const away = distanceTo(points, at);
    if (away <= NEAR_WIRE && (best === null || away < best.away)) best = { id: wireId(wire), away };
  }
  return best?.id ?? null;
}

import type { PointerEvent as ReactPointerEvent } from 'react';
import type { OpenWire } from './canvas-store.ts';
import { editable, type EditorActions } from './editor-actions.ts';
import { swallowClick } from './swallow-click.ts';
import { begin, finishAt, finishOnGround } from './wire-acts.ts';
import type { Point } from '../model/draft.ts';

/** A press that moves further than this draws a wire; otherwise it is a tap. */
const SLACK = 5;

/** From a press on a port, or on a wire's end, to the release of the pointer. `tapped`: it never moved. */
export function followPointer(
  desk: EditorActions,
  event: ReactPointerEvent,
  open: OpenWire,
  tapped: (() => void) | null,
): void {
  if (event.button !== 0 || !editable(desk)) return;
  event.stopPropagation();
  const start = { x: event.clientX, y: event.clientY };
  let drawing = false;
  const ended = new AbortController();
  const listen = { signal: ended.signal };
  const move = ({ clientX: x, clientY: y, pointerId }: PointerEvent) => {
    if (pointerId !== event.pointerId) return;
    if (!drawing && Math.hypot(x - start.x, y - start.y) < SLACK) return;
    const at = desk.flow.screenToFlowPosition({ x, y });
    if (!drawing) begin(desk, open, 'drag', at);
    drawing = true;
    const { wiring } = desk.canvas.snapshot();
    if (wiring !== null) desk.canvas.set({ wiring: { ...wiring, at, target: under({ x, y }).node } });
  };
  const up = ({ clientX: x, clientY: y, pointerId }: PointerEvent) => {
    if (pointerId !== event.pointerId) return;
    ended.abort();
    // Also after a tap: its click would immediately end the action that it began.
    swallowClick();
    if (!drawing) return tapped?.();
    drop(desk, { x, y });
  };
  const cancel = () => {
    ended.abort();
    desk.canvas.set({ wiring: null });
  };
  document.addEventListener('pointermove', move, listen);
  document.addEventListener('pointerup', up, listen);
  document.addEventListener('pointercancel', cancel, listen);
}

/** The wire that is being drawn is dropped at a position on the screen. */
export function drop(desk: EditorActions, at: Point): void {
  const { node, port, canvas } = under(at);
  if (node !== null) return finishAt(desk, node, port);
  if (canvas) return finishOnGround(desk, at);
  desk.canvas.set({ wiring: null });
}

/** The elements at a position on the screen. */
export function under({ x, y }: Point): { node: string | null; port: string | null; canvas: boolean } {
  const element = document.elementFromPoint(x, y);
  const node = element?.closest<HTMLElement>('[data-node]')?.dataset['node'] ?? null;
  const port = element?.closest<HTMLElement>('[data-port]')?.dataset['port'] ?? null;
  const ground = element?.closest('.react-flow__pane, .react-flow__edges, .react-flow__edgelabel-renderer') ?? null;
  return { node, port, canvas: ground !== null };
}

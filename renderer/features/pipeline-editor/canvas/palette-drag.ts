import type { PointerEvent as ReactPointerEvent } from 'react';
import type { Choice } from '../model/choices.ts';
import { editable, type EditorActions } from './editor-actions.ts';
import { placeOnGround, wireNear } from './placing.ts';
import { swallowClick } from './swallow-click.ts';
import { canvasArea } from './view-acts.ts';

const SLACK = 6;

/** Pressing a kind and moving drags it to the canvas. Touch scrolls the list instead, and taps. */
export function dragFromPalette(desk: EditorActions, event: ReactPointerEvent, choice: Choice): void {
  if (event.button !== 0 || event.pointerType === 'touch' || !editable(desk)) return;
  const start = { x: event.clientX, y: event.clientY };
  const ended = new AbortController();
  const listen = { signal: ended.signal };
  let carrying = false;
  const move = ({ clientX: x, clientY: y }: PointerEvent) => {
    if (!carrying && Math.hypot(x - start.x, y - start.y) < SLACK) return;
    carrying = true;
    const over = isOverCanvas(x, y) ? wireNear(desk, choice, desk.flow.screenToFlowPosition({ x, y })) : null;
    desk.canvas.set({ dragged: { choice, at: { x, y } }, hotWire: over, popup: null });
  };
  const up = ({ clientX: x, clientY: y }: PointerEvent) => {
    ended.abort();
    if (!carrying) return;
    swallowClick();
    desk.canvas.set({ dragged: null, hotWire: null });
    if (isOverCanvas(x, y)) placeOnGround(desk, choice, { x, y });
  };
  const cancel = () => {
    ended.abort();
    desk.canvas.set({ dragged: null, hotWire: null });
  };
  const escape = ({ key }: KeyboardEvent) => key === 'Escape' && cancel();
  document.addEventListener('pointermove', move, listen);
  document.addEventListener('pointerup', up, listen);
  document.addEventListener('pointercancel', cancel, listen);
  document.addEventListener('keydown', escape, listen);
}

function isOverCanvas(x: number, y: number): boolean {
  const area = canvasArea();
  return area !== null && x >= area.left && x <= area.right && y >= area.top && y <= area.bottom;
}

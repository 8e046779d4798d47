import type { PointerEvent as ReactPointerEvent } from 'react';
import type { Point } from '../model/draft.ts';

/** A press that moves further than this is a drag, px on the screen. */
const SLACK = 4;

interface Followed {
  /** The way from the press on the canvas, at this zoom. */
  moved: (by: Point) => void;
  /** Null: it was a press without a drag, or was cancelled. */
  ended: (by: Point | null) => void;
}

/** From a press to the release of the pointer. */
export function followDrag(event: ReactPointerEvent, zoom: number, { moved, ended }: Followed): void {
  if (event.button !== 0) return;
  event.stopPropagation();
  const { clientX, clientY, pointerId } = event;
  let by: Point | null = null;
  const over = new AbortController();
  const listen = { signal: over.signal };
  const move = (next: PointerEvent) => {
    if (next.pointerId !== pointerId) return;
    const [x, y] = [next.clientX - clientX, next.clientY - clientY];
    if (by === null && Math.hypot(x, y) < SLACK) return;
    by = { x: x / zoom, y: y / zoom };
    moved(by);
  };
  const end = (last: PointerEvent) => {
    if (last.pointerId !== pointerId) return;
    over.abort();
    ended(last.type === 'pointerup' ? by : null);
  };
  document.addEventListener('pointermove', move, listen);
  document.addEventListener('pointerup', end, listen);
  document.addEventListener('pointercancel', end, listen);
}

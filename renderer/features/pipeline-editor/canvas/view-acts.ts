import { FIT } from './view-limits.ts';
import { GRID, type Point } from '../model/draft.ts';
import { placedNodes, type Placed } from '../model/geometry.ts';
import { shown, type EditorActions } from './editor-actions.ts';

const MOVE = { duration: 200 } as const;
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
const motion = () => (still() ? {} : MOVE);

export const zoomIn = ({ flow }: EditorActions) => flow.zoomIn(motion());
export const zoomOut = ({ flow }: EditorActions) => flow.zoomOut(motion());
export const fit = ({ flow }: EditorActions) => flow.fitView({ ...FIT, ...motion() });
export const wholeSize = ({ flow }: EditorActions) => flow.zoomTo(1, motion());

/** The node in the middle of the canvas, at a size that can be read. */
export function centre(desk: EditorActions, id: string): void {
  const box = boxOf(desk, id);
  if (box === undefined) return;
  const zoom = Math.max(desk.flow.getZoom(), 0.8);
  void desk.flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom, ...motion() });
}

/** Pans as far as needed for the whole node to be seen, and no further. */
export function bringIntoView(desk: EditorActions, id: string): void {
  const box = boxOf(desk, id);
  const area = canvasArea();
  if (box === undefined || area === null) return;
  const start = desk.flow.flowToScreenPosition(box);
  const end = desk.flow.flowToScreenPosition({ x: box.x + box.width, y: box.y + box.height });
  const dx = shift(start.x, end.x, area.left, area.right);
  const dy = shift(start.y, end.y, area.top, area.bottom);
  if (dx === 0 && dy === 0) return;
  const { x, y, zoom } = desk.flow.getViewport();
  void desk.flow.setViewport({ x: x + dx, y: y + dy, zoom }, motion());
}

const EDGE = 24;

function shift(start: number, end: number, low: number, high: number): number {
  if (start < low) return low + EDGE - start;
  return end > high ? Math.max(high - EDGE - end, low + EDGE - start) : 0;
}

function boxOf(desk: EditorActions, id: string): Placed | undefined {
  return placedNodes(shown(desk), desk.kinds, null).find((one) => one.id === id);
}

export function canvasArea(): DOMRect | null {
  return document.querySelector('.editor-canvas')?.getBoundingClientRect() ?? null;
}

/** Where a list for a node opens: beside it, on the screen. */
export function besideNode(desk: EditorActions, id: string): Point {
  const box = boxOf(desk, id);
  const area = canvasArea();
  if (box === undefined) return { x: (area?.left ?? 0) + GRID, y: (area?.top ?? 0) + GRID };
  return desk.flow.flowToScreenPosition({ x: box.x + box.width + 8, y: box.y });
}

import { FIT } from './view-limits.ts';
import type { Desk } from './desk.ts';
import { GRID, nodeOf, type Point } from '../model/draft.ts';
import { placedNodes } from '../model/geometry.ts';
import { shown } from './desk.ts';

const MOVE = { duration: 200 } as const;
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
const motion = () => (still() ? {} : MOVE);

export const zoomIn = ({ flow }: Desk) => flow.zoomIn(motion());
export const zoomOut = ({ flow }: Desk) => flow.zoomOut(motion());
export const fit = ({ flow }: Desk) => flow.fitView({ ...FIT, ...motion() });
export const wholeSize = ({ flow }: Desk) => flow.zoomTo(1, motion());

/** The node in the middle of the canvas, at a size that can be read. */
export function centre(desk: Desk, id: string): void {
  const box = placedNodes(shown(desk), desk.kinds, null).find((one) => one.id === id);
  if (box === undefined) return;
  const zoom = Math.max(desk.flow.getZoom(), 0.8);
  void desk.flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom, ...motion() });
}

/** Pans as far as needed for the whole node to be seen. */
export function bringIntoView(desk: Desk, id: string): void {
  const node = nodeOf(shown(desk), id);
  const area = canvasArea();
  if (node === undefined || area === null) return;
  const box = placedNodes(shown(desk), desk.kinds, null).find((one) => one.id === id);
  if (box === undefined) return;
  const corner = desk.flow.flowToScreenPosition(box);
  const end = desk.flow.flowToScreenPosition({ x: box.x + box.width, y: box.y + box.height });
  const seen = corner.x >= area.left && corner.y >= area.top && end.x <= area.right && end.y <= area.bottom;
  if (!seen) centre(desk, id);
}

export function canvasArea(): DOMRect | null {
  return document.querySelector('.editor-canvas')?.getBoundingClientRect() ?? null;
}

/** Where a list for a node opens: beside it, on the screen. */
export function besideNode(desk: Desk, id: string): Point {
  const box = placedNodes(shown(desk), desk.kinds, null).find((one) => one.id === id);
  const area = canvasArea();
  if (box === undefined) return { x: (area?.left ?? 0) + GRID, y: (area?.top ?? 0) + GRID };
  return desk.flow.flowToScreenPosition({ x: box.x + box.width + 8, y: box.y });
}

import type { Viewport } from '@xyflow/react';
import type { CanvasState } from './canvas-store.ts';
import { BAND_PX, FIT_LIMITS } from './view-limits.ts';
import { GRID, type Point } from '../model/draft.ts';
import { fittedView } from '../model/fitted-view.ts';
import { COLUMN, NODE_WIDTH, placedNodes, type Box, type Placed } from '../model/geometry.ts';
import { takenBoxes } from '../model/notes.ts';
import { shown, type EditorActions } from './editor-actions.ts';

const MOVE = { duration: 200 } as const;
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
export const motion = () => (still() ? {} : MOVE);

export const zoomIn = ({ flow }: EditorActions) => flow.zoomIn(motion());
export const zoomOut = ({ flow }: EditorActions) => flow.zoomOut(motion());
export const fit = (desk: EditorActions) => desk.flow.setViewport(fitted(desk), motion());
/** The first view of a pipeline is not animated. */
export const fitAtOnce = (desk: EditorActions) => desk.flow.setViewport(fitted(desk));
export const wholeSize = ({ flow }: EditorActions) => flow.zoomTo(1, motion());

function fitted(desk: EditorActions) {
  const { width = 0, height = 0 } = canvasArea() ?? {};
  const { edge } = FIT_LIMITS;
  const top = edge.top + bandHeight(desk.canvas.snapshot(), desk.store.snapshot().showsRunning);
  const limits = { ...FIT_LIMITS, edge: { ...edge, top } };
  return fittedView(takenBoxes(shown(desk), desk.kinds), { width, height }, limits);
}

/** Pixels at the top of the canvas that are covered. */
export function bandHeight({ run }: Pick<CanvasState, 'run'>, showsRunning: boolean): number {
  return run !== null || showsRunning ? BAND_PX : 0;
}

/** A canvas that is narrower than this scrolls sideways. */
const COLUMNS_MIN = 3;
const COLUMNS_MAX = 12;

/** Columns that the canvas shows at 100 % while the settings are closed: they open and close as nodes are selected. */
export function canvasColumns(): number {
  const { left = 0 } = canvasArea() ?? {};
  const { right = 0 } = document.querySelector('.editor')?.getBoundingClientRect() ?? {};
  const { edge } = FIT_LIMITS;
  const room = right - left - edge.left - edge.right + (COLUMN - NODE_WIDTH);
  return Math.min(COLUMNS_MAX, Math.max(COLUMNS_MIN, Math.floor(room / COLUMN)));
}

/** Hides palette, settings and dock in favour of the canvas, or shows them again. */
export function toggleCanvasOnly({ store, canvas, t }: EditorActions): void {
  const on = !store.snapshot().canvasOnly;
  store.showCanvasOnly(on);
  if (on && document.activeElement?.closest('.editor-canvas, .editor-head') === null)
    document.querySelector<HTMLElement>('.editor-canvas .react-flow')?.focus();
  canvas.say(t(on ? 'editor.said.canvasOnly' : 'editor.said.panelsBack'));
}

/** Shows the node in the middle of the canvas, at a readable size. */
export function centre(desk: EditorActions, id: string): void {
  const box = boxOf(desk, id);
  if (box === undefined) return;
  const zoom = Math.max(desk.flow.getZoom(), 0.8);
  void desk.flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom, ...motion() });
}

/** Pans just far enough to show the whole node. */
export function bringIntoView(desk: EditorActions, id: string): void {
  const box = boxOf(desk, id);
  if (box !== undefined) showBox(desk, box);
}

export function showBox(desk: EditorActions, box: Box): void {
  const area = canvasArea();
  if (area === null) return;
  const start = desk.flow.flowToScreenPosition(box);
  const end = desk.flow.flowToScreenPosition({ x: box.x + box.width, y: box.y + box.height });
  const dx = shift(start.x, end.x, area.left, area.right);
  const dy = shift(start.y, end.y, area.top, area.bottom);
  if (dx === 0 && dy === 0) return;
  const { x, y, zoom } = desk.flow.getViewport();
  void desk.flow.setViewport({ x: x + dx, y: y + dy, zoom }, motion());
}

/**
 * The view in which a canvas that has become narrower, for example because of the settings, shows all columns that it
 * showed before; null: it still does, it did not before, or they would be smaller than with _Fit_.
 */
export function narrowedView(desk: EditorActions, widthBefore: number): Viewport | null {
  const boxes = placedNodes(shown(desk), desk.kinds, null);
  const area = canvasArea();
  if (area === null || boxes.length === 0) return null;
  const { edge, zoomMin } = FIT_LIMITS;
  const now = desk.flow.getViewport();
  const left = Math.min(...boxes.map(({ x }) => x));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const end = now.x + right * now.zoom;
  const zoom = Math.min(now.zoom, (area.width - edge.left - edge.right) / (right - left));
  if (end <= area.width || end > widthBefore || now.x + left * now.zoom < 0 || zoom < zoomMin) return null;
  const top = Math.min(...boxes.map(({ y }) => y));
  return { x: edge.left - left * zoom, y: now.y + top * (now.zoom - zoom), zoom };
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

/** The position of a list for a node: beside it, on the screen. */
export function besideNode(desk: EditorActions, id: string): Point {
  const box = boxOf(desk, id);
  const area = canvasArea();
  if (box === undefined) return { x: (area?.left ?? 0) + GRID, y: (area?.top ?? 0) + GRID };
  return desk.flow.flowToScreenPosition({ x: box.x + box.width + 8, y: box.y });
}

import type { Box } from './geometry.ts';

/** The view of a fitted graph: `x`, `y` are the screen coordinates of the canvas origin, as in React Flow. */
interface View {
  x: number;
  y: number;
  zoom: number;
}

interface FitLimits {
  /** Margin in px. */
  edge: { top: number; right: number; bottom: number; left: number };
  zoomMin: number;
  zoomMax: number;
}

/** Centres the whole graph; if it is too large at the minimum zoom, shows its beginning. */
export function fittedView(
  boxes: readonly Box[],
  area: { width: number; height: number },
  { edge, zoomMin, zoomMax }: FitLimits,
): View {
  if (boxes.length === 0) return { x: edge.left, y: edge.top, zoom: zoomMax };
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - left;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - top;
  const room = { width: area.width - edge.left - edge.right, height: area.height - edge.top - edge.bottom };
  const zoom = Math.min(zoomMax, Math.max(zoomMin, Math.min(room.width / width, room.height / height)));
  const spare = (has: number, needs: number) => Math.max(0, (has - needs * zoom) / 2);
  return {
    x: edge.left + spare(room.width, width) - left * zoom,
    y: edge.top + spare(room.height, height) - top * zoom,
    zoom,
  };
}

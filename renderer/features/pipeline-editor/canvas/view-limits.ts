/** The zoom range of the canvas. */
export const ZOOM_MIN = 0.4;
export const ZOOM_MAX = 1.6;
/** Below this zoom, nodes show only icon, name and state. */
export const ZOOM_FAR = 0.6;
/** _Fit_ leaves room for the buttons at the bottom, and does not zoom out further: users scroll larger pipelines. */
export const FIT_LIMITS = {
  edge: { top: 28, right: 18, bottom: 64, left: 18 },
  zoomMin: 0.8,
  zoomMax: 1,
} as const;

/** Text size on nodes and wires at 100 %, and the minimum size, px on the screen. */
const TEXT_PX = 14;
const TEXT_PX_MIN = 12;
/** Texts grow in steps: each step is a new layout of all visible nodes. */
const STEPS = 20;

/** How much texts on the canvas grow relative to the zoom, so that none is smaller than 12 px on the screen. */
export function textScale(zoom: number): number {
  const needed = TEXT_PX_MIN / (TEXT_PX * zoom);
  return needed <= 1 ? 1 : Math.ceil(needed * STEPS) / STEPS;
}

/** The menu button above a selected node: its height, and its distance from the card, px on the screen. */
const BUTTON_PX = 44;
const BUTTON_GAP_PX = 4;

/** The line at the top of the canvas while it shows a run or the running revision. */
export const BAND_PX = 53;

/**
 * Distance of the menu button from a card whose top is `top` px below the upper end of the visible canvas. Near the
 * edge, the button moves over the card, so that it is not cut off; if the card itself is out of view, the button moves
 * no further.
 */
export function buttonOffset(top: number): number {
  return Math.min(BUTTON_GAP_PX, Math.max(top - BUTTON_PX, -BUTTON_PX));
}

/** The zoom range of the canvas, and the position of a fitted graph: clear of the buttons below. */
export const ZOOM_MIN = 0.4;
export const ZOOM_MAX = 1.6;
/** Under this, nodes show glyph, name and state only. */
export const ZOOM_FAR = 0.6;
export const FIT = { padding: { top: '28px', right: '18px', bottom: '64px', left: '18px' }, maxZoom: 1 } as const;

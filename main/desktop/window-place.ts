/** Where the window opens: at its last position, if that is still visible; pixels of the desktop. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const WINDOW_MIN = { width: 800, height: 600 } as const;
export const WINDOW_FIRST = { width: 1280, height: 800 } as const;
/** This much of the upper edge must be visible, so that the window can be moved. */
const GRIP = { width: 120, height: 32 } as const;

/**
 * `workAreas`: of all connected displays. A position that no display shows any more is ignored: without x and y the
 * window opens in the middle of the first display. It is never larger than its display.
 */
export function placeWindow(saved: Rectangle | null, workAreas: readonly Rectangle[]): Partial<Rectangle> & Size {
  const area = saved && workAreas.find((one) => showsGrip(one, saved));
  if (saved === null || !area) return fitted(WINDOW_FIRST, workAreas[0]);
  return { x: saved.x, y: saved.y, ...fitted(saved, area) };
}

type Size = Pick<Rectangle, 'width' | 'height'>;

function showsGrip(area: Rectangle, window: Rectangle): boolean {
  const seen = overlap(area.x, area.width, window.x, window.width);
  const top = window.y >= area.y - 1 && window.y + GRIP.height <= area.y + area.height;
  return top && seen >= GRIP.width;
}

function overlap(from: number, length: number, otherFrom: number, otherLength: number): number {
  return Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom);
}

function fitted({ width, height }: Size, area: Size | undefined): Size {
  return {
    width: Math.max(WINDOW_MIN.width, Math.min(width, area?.width ?? width)),
    height: Math.max(WINDOW_MIN.height, Math.min(height, area?.height ?? height)),
  };
}

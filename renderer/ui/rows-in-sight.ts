export interface Sight {
  first: number;
  /** -1 if there are no rows. */
  last: number;
}

/** Rows above and below that are rendered before they become visible. */
const BESIDE = 6;

/** The first and the last row, all of the same height, in a view of this many pixels, plus some beyond them. */
export function rowsInSight(view: { firstRow: number; height: number; count: number; rowHeight: number }): Sight {
  const { height, count, rowHeight } = view;
  const shown = Math.ceil(height / rowHeight) + 1;
  // A list that became shorter is shown from its end, before the browser has scrolled up.
  const firstRow = Math.max(0, Math.min(view.firstRow, count - shown));
  return { first: Math.max(0, firstRow - BESIDE), last: Math.min(count - 1, firstRow + shown + BESIDE) };
}

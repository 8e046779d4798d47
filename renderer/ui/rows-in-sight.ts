export interface Sight {
  first: number;
  /** -1 if there are no rows. */
  last: number;
}

/** The places of the rows of a list, in pixels from its top. */
export interface RowPlaces {
  readonly count: number;
  /** Of the row with this index; of `count`: the height of the list. */
  top(index: number): number;
  /** The index of the row at this distance from the top, at most `count`. */
  rowAt(y: number): number;
}

export function equalRows(count: number, height: number): RowPlaces {
  return {
    count,
    top: (index) => index * height,
    rowAt: (y) => Math.min(count, Math.floor(y / height)),
  };
}

/** For rows of different heights, each more than 0. */
export function unequalRows(heights: readonly number[]): RowPlaces {
  const tops = [0];
  let total = 0;
  for (const height of heights) tops.push((total += height));
  return {
    count: heights.length,
    top: (index) => tops[index] ?? total,
    rowAt: (y) => lastAtMost(tops, y),
  };
}

/** The index of the last of the ascending numbers that is not above `limit`; 0 if all are. */
function lastAtMost(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Rows above and below that are rendered before they become visible. */
const BESIDE = 6;

/** The first and the last row in a view of this many pixels, plus some beyond them. */
export function rowsInSight(places: RowPlaces, view: { firstRow: number; height: number }): Sight {
  const { count } = places;
  // A list that became shorter is shown from its end, before the browser has scrolled up.
  const firstOfLast = places.rowAt(Math.max(0, places.top(count) - view.height));
  const firstRow = Math.min(view.firstRow, firstOfLast);
  // The first one may be scrolled out almost completely.
  const lastRow = places.rowAt(places.top(Math.min(count, firstRow + 1)) + view.height);
  return { first: Math.max(0, firstRow - BESIDE), last: Math.min(count - 1, lastRow + BESIDE) };
}

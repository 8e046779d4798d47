/** A line of one text beside the matching line of the other; null: it exists only in one of them. */
export interface LinePair {
  before: string | null;
  after: string | null;
}

/** Limit of compared pairs of lines; longer texts are reported as completely different. */
const CELLS_MAX = 4_000_000;

export function jsonText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** The two texts line by line, with equal lines side by side: based on the longest common subsequence. */
export function pairLines(before: string, after: string): LinePair[] {
  const old = before === '' ? [] : before.split('\n');
  const now = after === '' ? [] : after.split('\n');
  if (old.length * now.length > CELLS_MAX) return [...old.map(gone), ...now.map(come)];
  const width = now.length + 1;
  const common = lengths(old, now, width);
  const linePairs: LinePair[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < now.length) {
    const [left = '', right = ''] = [old[row], now[column]];
    if (left === right) {
      linePairs.push({ before: left, after: right });
      row++;
      column++;
    } else if ((common[(row + 1) * width + column] ?? 0) >= (common[row * width + column + 1] ?? 0)) {
      linePairs.push(gone(left));
      row++;
    } else {
      linePairs.push(come(right));
      column++;
    }
  }
  return besides([...linePairs, ...old.slice(row).map(gone), ...now.slice(column).map(come)]);
}

const gone = (line: string): LinePair => ({ before: line, after: null });
const come = (line: string): LinePair => ({ before: null, after: line });

/** Length of the longest common subsequence from each position on (Hunt and McIlroy's table). */
function lengths(old: readonly string[], now: readonly string[], width: number): Uint32Array {
  const table = new Uint32Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--)
      table[row * width + column] =
        old[row] === now[column]
          ? (table[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(table[(row + 1) * width + column] ?? 0, table[row * width + column + 1] ?? 0);
  return table;
}

/** Removed lines and the lines that replace them are shown side by side. */
function besides(pairs: readonly LinePair[]): LinePair[] {
  const linePairs: LinePair[] = [];
  let waiting: string[] = [];
  let free = 0;
  for (const { before, after } of pairs) {
    if (before !== null && after === null) {
      waiting.push(before);
      linePairs.push(gone(before));
      continue;
    }
    const place = linePairs.length - waiting.length + free;
    const taken = waiting[free];
    if (before === null && taken !== undefined) {
      linePairs[place] = { before: taken, after };
      free++;
      continue;
    }
    waiting = [];
    free = 0;
    linePairs.push({ before, after });
  }
  return linePairs;
}

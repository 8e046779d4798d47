import type { Bar } from '#api/journal-summary.ts';

/** The range of the bars between two, both inclusive, in whichever direction the user dragged. */
export function brushed(
  bars: readonly Pick<Bar, 'at'>[],
  drag: { from: number; to: number },
  stepMs: number,
): { from: string; to: string } | null {
  const first = bars[Math.min(drag.from, drag.to)];
  const last = bars[Math.max(drag.from, drag.to)];
  if (first === undefined || last === undefined) return null;
  return { from: first.at, to: new Date(Date.parse(last.at) + stepMs - 1).toISOString() };
}

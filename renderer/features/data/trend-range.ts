import type { TimeRange } from '#ui/trend/trend-points.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Ranges that end now, by their name in the address. */
export const LENGTHS = {
  '15min': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '8h': 8 * HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
} as const;
export type LengthName = keyof typeof LENGTHS;

const isLength = (name: string): name is LengthName => Object.hasOwn(LENGTHS, name);

/** `own`: a fixed range; otherwise one that ends now. */
export type Chosen = { kind: 'own'; range: TimeRange } | { kind: LengthName };

export function chosenRange(read: (name: string) => string): Chosen {
  const from = Date.parse(read('from'));
  const to = Date.parse(read('to'));
  if (from < to) return { kind: 'own', range: { from, to } };
  const name = read('range');
  return { kind: isLength(name) ? name : '1h' };
}

/** The form in the address: to the millisecond, in UTC. */
export function rangeAddress({ from, to }: TimeRange): { from: string; to: string; range: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), range: '' };
}

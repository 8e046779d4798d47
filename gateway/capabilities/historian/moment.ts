import { isoTimeMs } from '#common/iso-time.ts';
import { NodeError } from '#sdk';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const NOW = /^now(?:-(?<distance>[\d.]+)(?<unit>[smhd]))?$/;
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** From `from` (inclusive) to `to` (exclusive), in milliseconds since 1970. Throws NodeError `history_range`. */
export function readRange(from: string, to: string, now: number): Range {
  const range = { from: readMoment('from', from, now), to: readMoment('to', to, now) };
  if (range.from >= range.to)
    throw new NodeError(
      'history_range',
      `expected from before to; from is ${iso(range.from)} and to is ${iso(range.to)}`,
    );
  return range;
}

/** RFC 3339, or `now` with an offset; fractions of a millisecond are truncated. */
function readMoment(field: string, text: string, now: number): number {
  const { distance = '0', unit = 's' } = NOW.exec(text)?.groups ?? {};
  const time = text.startsWith('now') ? now - Number(distance) * (UNIT_MS[unit] ?? Number.NaN) : isoTimeMs(text);
  if (time >= 0 && time <= LATEST_MS) return Math.trunc(time);
  throw new NodeError('history_range', `${field}: "${text}" is no time from 1970 to 9999, of a day that there is`);
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

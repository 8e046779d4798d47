import { meaningOf } from './acts.ts';
import type { Arrival, WitnessLine } from './witness.ts';

/** An arrival with the outcome of its response from the other lines. */
export interface Seen extends Arrival {
  /** When its response was due, and sent if the caller was still connected. */
  readonly answeredAtMs: number;
  /** The caller had disconnected when the response was due. */
  readonly gone: boolean;
  /** How its connection ended, if it was the last on it. */
  readonly ended: { readonly atMs: number; readonly torn: boolean } | null;
  /** The target has it, and responded while the caller was still connected. */
  readonly taken: boolean;
  /** The target permanently refused it, likewise. */
  readonly refused: boolean;
}

export function arrivals(lines: readonly WitnessLine[]): Seen[] {
  const late = new Map<number, { atMs: number; gone: boolean }>();
  const ends = new Map<number, { atMs: number; torn: boolean }>();
  for (const line of lines) {
    if (line.kind === 'late-answer') late.set(line.n, line);
    if (line.kind === 'closed' && line.last !== null) ends.set(line.last, line);
  }
  return lines
    .filter((line) => line.kind === 'arrival')
    .map((arrival) => {
      const { takes, ends: refuses } = meaningOf(arrival.act);
      const answer = late.get(arrival.n);
      const gone = answer?.gone ?? false;
      return {
        ...arrival,
        answeredAtMs: answer?.atMs ?? arrival.atMs,
        gone,
        ended: ends.get(arrival.n) ?? null,
        taken: takes && !gone,
        refused: refuses && !gone,
      };
    });
}

/** Identifies events that are sent in order: all events of one ordering key to one target. */
export const streamOf = ({ target, key }: { target: string; key: string }): string => `${target}/${key}`;
export const eventOf = (event: { target: string; key: string; seq: number }): string =>
  `${streamOf(event)}/${event.seq}`;

/** The arrivals grouped by `keyOf`, in order; null: left out. */
export function group<T>(list: readonly T[], keyOf: (item: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const key = keyOf(item);
    if (key === null) continue;
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

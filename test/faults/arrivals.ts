import { meaningOf } from './acts.ts';
import type { Arrival, WitnessLine } from './witness.ts';

/** An arrival with what the other lines say of its answer. */
export interface Seen extends Arrival {
  /** When its answer was due, and given if anyone was there. */
  readonly answeredAtMs: number;
  /** The caller was gone when the answer was due. */
  readonly gone: boolean;
  /** How its connection ended, if it was the last on it. */
  readonly ended: { readonly atMs: number; readonly torn: boolean } | null;
  /** The target has it, and said so to someone who was still there. */
  readonly taken: boolean;
  /** The target refused it for good, likewise. */
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

/** The arrivals by what `keyOf` gives, in their order; null = left out. */
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

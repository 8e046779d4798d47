import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Act, Mood } from './acts.ts';

/**
 * The requests that the target received: a file of JSON lines that the target's own process writes, which is never
 * killed.
 *
 * - Each complete request is one line, written before any response.
 * - Delayed responses and closed connections are separate lines: they show whether a late response still reached its
 *   caller.
 * - Times are `nowMs()`. Written in one call each, without fsync: the machine's own crash is not among the faults here.
 */
export type WitnessLine =
  | Arrival
  | { readonly kind: 'late-answer'; readonly n: number; readonly atMs: number; readonly gone: boolean }
  | {
      readonly kind: 'closed';
      readonly connection: number;
      readonly atMs: number;
      /** The target reset it: when it began to refuse, or unread. */
      readonly torn: boolean;
      /** The last request on it; null: none. */
      readonly last: number | null;
    }
  | { readonly kind: 'mood'; readonly target: string; readonly atMs: number; readonly mood: Mood }
  /** A connection that was reset before anything was read from it. */
  | { readonly kind: 'reset-unread'; readonly target: string; readonly atMs: number };

export interface Arrival {
  readonly kind: 'arrival';
  /** Counts the arrivals at all targets, in the order in which they were read. */
  readonly n: number;
  readonly atMs: number;
  readonly target: string;
  readonly connection: number;
  /** The Idempotency-Key; null: missing. */
  readonly id: string | null;
  readonly path: string;
  /** From the body: ordering key, sequence number, poison. Null: the body was not sent by the rig. */
  readonly event: EventMark | null;
  /** A hash of the body's bytes. */
  readonly body: string;
  /** The response that it will get. */
  readonly act: Act;
}

/** The mark of each event in its body. */
export interface EventMark {
  readonly key: string;
  readonly seq: number;
  readonly poison: boolean;
}

export interface Witness {
  write(line: WitnessLine): void;
  close(): void;
}

export function openWitness(file: string): Witness {
  const fd = openSync(file, 'a', 0o600);
  return {
    write: (line) => void writeSync(fd, `${JSON.stringify(line)}\n`),
    close: () => closeSync(fd),
  };
}

export function readWitness(file: string): WitnessLine[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WitnessLine);
}

export function bodyHash(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 16);
}

export function readMark(body: Uint8Array): EventMark | null {
  try {
    const { key, seq, poison } = JSON.parse(Buffer.from(body).toString('utf8')) as Partial<EventMark>;
    if (typeof key !== 'string' || typeof seq !== 'number' || typeof poison !== 'boolean') return null;
    return { key, seq, poison };
  } catch {
    return null;
  }
}

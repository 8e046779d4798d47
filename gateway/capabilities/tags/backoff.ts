import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, jittered } from '#common/backoff.ts';
import type { ConnectionLost } from './dial.ts';

export const RECONNECT_MS_MIN = 500;
export const RECONNECT_MS_MAX = 30_000;

/**
 * Delays between attempts: RECONNECT_MS_MIN doubling to RECONNECT_MS_MAX, each ±20 % so that many clients do not
 * reconnect at the same time.
 */
export interface Backoff {
  /** Milliseconds to wait before the next attempt. */
  next(): number;
  /** The connection works: the next delay is the shortest again. */
  reset(): void;
}

const JITTER = 0.2;

/** `random` gives 0 ≤ x < 1. */
export function createBackoff(random: () => number = Math.random): Backoff {
  let failures = 0;
  return {
    next: () => jittered(backoffMs(failures++, { msMin: RECONNECT_MS_MIN, msMax: RECONNECT_MS_MAX }), JITTER, random()),
    reset() {
      failures = 0;
    },
  };
}

export interface KeptConnection {
  /**
   * One connection, from dialling to its end: resolves with the reason why it ended, in plain text for users. It calls
   * `alive` when the peer has responded correctly; an accepted connection alone proves nothing.
   */
  session(signal: AbortSignal, alive: () => void): Promise<ConnectionLost>;
  /** The connection has ended; the next attempt follows after a delay. */
  ended(lost: ConnectionLost): void;
}

/** Reconnects until `signal` aborts, then resolves. Rejects only if `kept` throws. */
export async function keepConnected(kept: KeptConnection, signal: AbortSignal, backoff: Backoff): Promise<void> {
  while (!signal.aborted) {
    const lost = await kept.session(signal, () => backoff.reset());
    if (signal.aborted) return;
    kept.ended(lost);
    await pause(backoff.next(), signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    // Aborted: the loop checks it.
  }
}

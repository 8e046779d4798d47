import { setTimeout as sleep } from 'node:timers/promises';

/** For `vi.waitFor` and `vi.waitUntil`, whose default of a second is too short for a busy machine. */
export const PATIENT_WAIT = { timeout: 15_000 };

/** Polls at first after this; then less and less often, because a long wait must not take the CPU from others. */
const FIRST_MS = 10;
const SLOWEST_MS = 50;

/**
 * Polls until `condition` returns something other than false, null or undefined; throws after `timeoutMs`. `everyMs` is
 * only for conditions that last for a short time.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  options: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Exclude<T, false | null | undefined>> {
  const { timeoutMs = 10_000, everyMs } = options;
  let pauseMs = everyMs ?? FIRST_MS;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== null && value !== undefined) return value as Exclude<T, false | null | undefined>;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`);
    await sleep(pauseMs);
    if (everyMs === undefined) pauseMs = Math.min(pauseMs * 1.2, SLOWEST_MS);
  }
}

/** Rejects when `promise` has not settled within `timeoutMs`; leaves no timer behind. */
export async function within<T>(timeoutMs: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

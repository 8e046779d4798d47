import type { ConnectionTest } from '#common/control/messages.ts';

/** The time starts now. `text` may name the milliseconds so far. */
export function timedTest(): (ok: boolean, text: string | ((ms: number) => string)) => ConnectionTest {
  const begin = performance.now();
  return (ok, text) => {
    const durationMs = Math.round(performance.now() - begin);
    return { ok, text: typeof text === 'string' ? text : text(durationMs), durationMs };
  };
}

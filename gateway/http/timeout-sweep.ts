import { CHECK_INTERVAL_MS, ENDS_PAUSE_MS, ENDS_PER_TURN_MAX } from './limits.ts';

/** Something whose next step is up to a caller. */
export interface Checked {
  /** Ends it if its caller was too slow. Returns whether it did. */
  check(nowMs: number): boolean;
}

/**
 * Checks everything that waits for a caller, every half second. Connections that were opened together are due together,
 * and ending one (journal row, response, socket) costs about a hundred times as much as checking it. One turn of the
 * event loop therefore ends ENDS_PER_TURN_MAX at most, and the next ones follow after a pause: callers that connect again
 * at once would otherwise come all together, and others would wait behind them. Returns a function that stops the sweep.
 */
export function startTimeoutSweep(all: () => Iterable<Checked>): () => void {
  let round: Iterator<Checked> | null = null;
  let next: NodeJS.Timeout | undefined;
  const turn = (): void => {
    const nowMs = performance.now();
    for (let ends = 0; round && ends < ENDS_PER_TURN_MAX;) {
      const one = round.next();
      if (one.done) round = null;
      else if (one.value.check(nowMs)) ends += 1;
    }
    if (round) next = setTimeout(turn, ENDS_PAUSE_MS).unref();
  };
  const timer = setInterval(() => {
    // A sweep that is still in progress will reach all of them.
    if (round) return;
    round = all()[Symbol.iterator]();
    turn();
  }, CHECK_INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    clearTimeout(next);
  };
}

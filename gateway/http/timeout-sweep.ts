import { CHECK_INTERVAL_MS, ENDS_PER_TURN_MAX } from './limits.ts';

/** Something whose next step is a caller's. */
export interface Checked {
  /** Ends it if its caller was too slow. Answers whether it did. */
  check(nowMs: number): boolean;
}

/**
 * Goes round all that waits for a caller, every half second. What was opened together comes due together, and to end one
 * (journal row, answer, socket) costs some hundred times what it costs to look at it: a turn of the event loop ends
 * ENDS_PER_TURN_MAX at most, and everybody else's requests run in between. Gives what ends it.
 */
export function startTimeoutSweep(all: () => Iterable<Checked>): () => void {
  let round: Iterator<Checked> | null = null;
  let next: NodeJS.Immediate | undefined;
  const turn = (): void => {
    const nowMs = performance.now();
    for (let ends = 0; round && ends < ENDS_PER_TURN_MAX;) {
      const one = round.next();
      if (one.done) round = null;
      else if (one.value.check(nowMs)) ends += 1;
    }
    if (round) next = setImmediate(turn);
  };
  const timer = setInterval(() => {
    // A round that is still under way comes to everybody.
    if (round) return;
    round = all()[Symbol.iterator]();
    turn();
  }, CHECK_INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    clearImmediate(next);
  };
}

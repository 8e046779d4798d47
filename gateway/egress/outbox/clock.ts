/** The clock of the outbox; tests replace it. */
export interface Clock {
  /** Monotonic milliseconds. */
  nowMs(): number;
  /** Milliseconds since 1970. */
  wallMs(): number;
  /** Monotonic milliseconds, the same in all threads of the process. */
  sharedMs(): number;
  /** Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const realClock: Clock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  sharedMs: () => performance.timeOrigin + performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.max(0, ms));
    return () => clearTimeout(timer);
  },
};

export function timeText(wallMs: number): string {
  return new Date(wallMs).toISOString();
}

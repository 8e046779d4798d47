/**
 * The longest time for which this thread's event loop was blocked. `monitorEventLoopDelay` of node:perf_hooks reported
 * 21 ms for a module that took 1.6 s to load (Node 24.21).
 */
export function measureLag(everyMs = 2): { longestMs(): number; stop(): void } {
  let last = performance.now();
  let longest = 0;
  const note = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(note, everyMs);
  return {
    longestMs() {
      note();
      return Math.round(longest);
    },
    stop: () => clearInterval(timer),
  };
}

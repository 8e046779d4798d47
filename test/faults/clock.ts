/** Milliseconds on the machine's monotonic clock: the same in every process, whatever happens to the time of day. */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

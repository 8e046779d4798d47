/**
 * What the gateway's process is started with, by whoever starts it.
 *
 * `--max-semi-space-size`: room for new objects, in MiB, of which V8 would take 16. Measured with 32 callers on two
 * cores: as many requests a second (12,500 to 13,900), the slowest hundredth in 8 to 10 ms instead of 16, since each
 * collection has less to go through; idle, 15 MB less.
 * `--single-threaded-gc`: a collection is the work of the thread whose heap it is. V8's helper threads would take the core
 * from the thread that serves: measured at a third of full load on one core, in turns on a noisy machine, the slowest
 * hundredth in 6 to 38 ms instead of 25 to 90, the longest in 19 to 76 instead of 62 to 118; as many requests a second.
 * `--expose-gc`: with it a thread that has nothing to do gives memory back (give-back.ts).
 */
export const GATEWAY_FLAGS: readonly string[] = ['--max-semi-space-size=4', '--single-threaded-gc', '--expose-gc'];

/**
 * What the gateway's process is started with, by whoever starts it. Figures: one core, every control on, in turns on a
 * noisy machine.
 *
 * `--no-allocation-site-pretenuring`: all runs of a pipeline's first moment are kept for the run history. Where several
 * pipelines begin so, V8 takes what runs are made of for long-lived, and from then on puts that part of each request among
 * the old objects, with all that it points to: 25 MB a second at 13,000 requests a second. Without: 9 KB that outlive a
 * collection of new objects instead of 330, each in 0.4 ms instead of 1.3, no collection of the old ones every 2.5 s (16
 * to 70 ms), and a request over a thousand routes for 58 to 73 µs instead of 75 to 88, over ten for 47 to 49 instead of 49 to
 * 57.
 * `--max-semi-space-size`: room for new objects, in MiB; what V8 takes by itself, said here because it was measured. With
 * 4 each request is some 10 % dearer. 8 serves as many with few callers, but what 900 requests in flight need does not fit
 * it and is copied among the old objects: a request costs a fifth more than with 16 (90 µs instead of 75), and three times
 * more calls than can be served take 190 MiB instead of 160. 32 is no better than 16. An idle thread gives it back.
 * `--no-parallel-scavenge`: new objects are collected twenty times a second in half a millisecond by the thread whose
 * heap it is; to wake helpers for that would cost more. For a collection of all objects V8's helpers are worth it, even
 * on the one core that they share. Against none at all (`--single-threaded-gc`): it holds up the thread for 5 to 13 ms
 * instead of 16 to 110, with 900 in flight a request costs 59 to 72 µs instead of 67 to 82, the process holds 60 to 90 MB
 * less, and of three times what it can serve it serves 86 % instead of 75, for 130 MiB more instead of 191. With 64 in
 * flight no difference; the slowest of all at 5,000 calls a second takes 45 ms instead of 9 to 15.
 * `--no-concurrent-array-buffer-sweeping`: what buffers hold is given back by the collection, not when a helper comes to
 * it: a spent guest's 64 MiB would lie beside the next one's (sandbox/spent-memory.ts).
 * `--expose-gc`: with it a thread that has nothing to do gives memory back (give-back.ts).
 */
export const GATEWAY_FLAGS: readonly string[] = [
  '--no-allocation-site-pretenuring',
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  '--no-concurrent-array-buffer-sweeping',
  '--expose-gc',
];

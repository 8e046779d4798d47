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
 * `--single-threaded-gc`: a collection is the work of the thread whose heap it is. V8's helper threads would take the core
 * from the thread that serves: the slowest hundredth at a third of full load in 6 to 38 ms instead of 25 to 90, at full
 * load in 8 instead of 19; as many requests a second.
 * `--expose-gc`: with it a thread that has nothing to do gives memory back (idle-memory.ts).
 * `--disallow-code-generation-from-strings`: `eval` and `new Function` throw, in every thread. Only checks of JSON Schema
 * are compiled, by one module (generated-code.ts).
 *
 * Not set: `--no-separate-gc-phases`. V8 collects no new objects while it marks the old ones, and then copies what died
 * meanwhile: 30 to 45 MB in pauses of 19 to 52 ms at 8,000 requests a second. With the flag it is 9 to 13 MB in 4 to 13
 * ms, and the process takes 70 MB less. But V8 no longer runs that way by default and means to take the choice away (its
 * issue 12503): an appliance is no place to try it.
 */
export const GATEWAY_FLAGS: readonly string[] = [
  '--no-allocation-site-pretenuring',
  '--max-semi-space-size=16',
  '--single-threaded-gc',
  '--expose-gc',
  '--disallow-code-generation-from-strings',
];

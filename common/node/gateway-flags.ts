/**
 * Node flags of the gateway's process, for every program that starts it. Measured on one core with every control on,
 * interleaved on a noisy machine.
 *
 * `--no-allocation-site-pretenuring`: all runs of a pipeline's first moment are kept for the run history. If several
 * pipelines begin like this, V8 treats the objects of runs as long-lived and from then on allocates that part of each
 * request in the old generation, with everything that it points to: 25 MB a second at 13,000 requests a second.
 * Without: 9 KB that outlive a collection of new objects instead of 330, each in 0.4 ms instead of 1.3, no collection
 * of the old ones every 2.5 s (16 to 70 ms), and a request over a thousand routes for 58 to 73 µs instead of 75 to 88,
 * over ten for 47 to 49 instead of 49 to
 * 57.
 * `--max-semi-space-size`: room for new objects, in MiB; V8's own default, set here because it was measured. With 4,
 * each request costs about 10 % more. 8 serves as many with few callers, but the objects of 900 requests in flight do
 * not fit and are copied to the old generation: a request costs a fifth more than with 16 (90 µs instead of 75), and
 * three times more calls than can be served take 190 MiB instead of 160. 32 is no better than 16. An idle thread
 * releases it. `--single-threaded-gc`: a collection is the work of the thread whose heap it is. V8's helper threads
 * would compete with the serving thread for the core: the slowest hundredth at a third of full load in 6 to 38 ms
 * instead of 25 to 90, at full load in 8 instead of 19; as many requests a second.
 * `--expose-gc`: lets an idle thread release memory (idle-memory.ts). `--disallow-code-generation-from-strings`: `eval`
 * and `new Function` throw, in every thread. Only checks of JSON Schema are compiled, by one module
 * (generated-code.ts).
 *
 * Not set: `--no-separate-gc-phases`. V8 collects no new objects while it marks the old ones, and then copies objects
 * that died meanwhile: 30 to 45 MB in pauses of 19 to 52 ms at 8,000 requests a second. With the flag it is 9 to 13 MB
 * in 4 to 13 ms, and the process takes 70 MB less. But V8 no longer runs this way by default and plans to remove the
 * option (its issue 12503), so an appliance should not depend on it.
 */
export const GATEWAY_FLAGS: readonly string[] = [
  '--no-allocation-site-pretenuring',
  '--max-semi-space-size=16',
  '--single-threaded-gc',
  '--expose-gc',
  '--disallow-code-generation-from-strings',
];

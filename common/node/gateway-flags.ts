/**
 * Node flags of the gateway process, for every program that starts it. Measured on one core with every control on,
 * interleaved on a noisy machine.
 *
 * `--no-allocation-site-pretenuring`: the first runs of a pipeline are all kept for the run history. If several
 * pipelines begin like this, V8 treats the objects of runs as long-lived and from then on allocates this part of each
 * request in the old generation, with everything that it references: 25 MB a second at 13,000 requests a second. With
 * the flag: 9 KB survive a scavenge instead of 330 KB, each scavenge takes 0.4 ms instead of 1.3, there is no major
 * collection every 2.5 s (16 to 70 ms), and a request over a thousand routes takes 58 to 73 µs instead of 75 to 88,
 * over ten routes 47 to 49 instead of 49 to 57. `--max-semi-space-size`: size of the young generation, in MiB; the
 * default of V8, set here because it was measured. With 4, each request costs about 10 % more. 8 is enough for few
 * callers, but the objects of 900 requests in flight do not fit and are copied to the old generation: a request costs a
 * fifth more than with 16 (90 µs instead of 75), and under a load of three times the capacity the process takes 190 MiB
 * instead of 160. 32 is no better than 16. An idle thread releases it. `--single-threaded-gc`: each thread collects its
 * own heap. V8's helper threads would compete with the serving thread for the core: the slowest 1 % at a third of full
 * load take 6 to 38 ms instead of 25 to 90, at full load 8 instead of 19, with the same throughput. `--expose-gc`: lets
 * an idle thread release memory (idle-memory.ts). `--disallow-code-generation-from-strings`: `eval` and `new Function`
 * throw, in every thread. Only checks of JSON Schema are compiled, by one module (generated-code.ts).
 *
 * Not set: `--no-separate-gc-phases`. V8 does not scavenge while it marks the old generation, and afterwards copies
 * objects that have died in the meantime: 30 to 45 MB in pauses of 19 to 52 ms at 8,000 requests a second. With the
 * flag it is 9 to 13 MB in 4 to 13 ms, and the process takes 70 MB less. But V8 no longer runs this way by default and
 * plans to remove the option (its issue 12503), so an appliance should not depend on it.
 */
export const GATEWAY_FLAGS: readonly string[] = [
  '--no-allocation-site-pretenuring',
  '--max-semi-space-size=16',
  '--single-threaded-gc',
  '--expose-gc',
  '--disallow-code-generation-from-strings',
];

/** Node calls of one run, including queued ones: ends a cycle of wires or a fan-out of fan-outs. */
export const STEPS_PER_RUN_MAX = 10_000;

/**
 * How long one run, or the creation of nodes, may occupy the event loop before other work continues, unless a single
 * node call takes longer.
 */
export const SLICE_MS_MAX = 10;

/** Node calls that a run can always make without a pause, so that an ordinary run never waits. */
export const SLICE_STEPS_MIN = 64;

/**
 * Milliseconds per turn of the event loop: the time that the runs of one project may use before its next ones wait, and
 * the time for all waiting runs. Times below RUN_MS_NOTED_MIN are not counted.
 */
export const RUN_MS_PER_PROJECT_MAX = 5;
export const RUN_MS_PER_TURN_MAX = 10;
export const RUN_MS_NOTED_MIN = 0.5;

/**
 * Matches of patterns in their own thread: CPU time and wall time of one match before the thread is ended, and its heap
 * in MiB. The wall time is for a thread that gets no CPU time, and longer than most routes allow.
 */
export const PATTERN_THREAD_CPU_MS_MAX = 5_000;
export const PATTERN_THREAD_MS_MAX = 60_000;
export const PATTERN_THREAD_HEAP_MB = 64;

/** Bytes (estimated) of the copies that fan-out makes in one run. */
export const COPIED_BYTES_PER_RUN_MAX = 256 * 1024 * 1024;

/** Milliseconds for parsing all settings of one pipeline (including the compilation of schemas and patterns). */
export const READ_MS_MAX = 3_000;

/** Runs kept per pipeline: the newest ones. */
export const RUNS_PER_PIPELINE_MAX = 50;

/**
 * Successful runs that are kept per second, of one pipeline and in total. On a busier gateway, each pipeline still
 * keeps one per SUCCESS_KEPT_EVERY_MS (longer in proportion if there are more than SUCCESSES_KEPT_PER_SECOND pipelines)
 * and every failed run. Kept runs live just long enough to be moved by every collection and to fill the old generation.
 * A pipeline that was quiet keeps RUNS_PER_PIPELINE_MAX more at once.
 */
export const PIPELINE_SUCCESSES_KEPT_PER_SECOND = 50;
export const SUCCESSES_KEPT_PER_SECOND = 200;
export const SUCCESS_KEPT_EVERY_MS = 1_000;

/** Bytes (estimated) of all kept runs together. */
export const RUNS_BYTES_MAX = 32 * 1024 * 1024;

/** A larger run is kept without its payloads. */
export const RUN_BYTES_MAX = 4 * 1024 * 1024;

/** Recorded steps per run; the run continues beyond them. */
export const STEPS_KEPT_MAX = 500;

/** Pipelines whose runs are kept, including stopped ones. */
export const PIPELINES_WITH_RUNS_MAX = 10_000;

/** Test runs at once. */
export const TESTS_MAX = 4;

/** Characters of a cause or a log line. */
export const CAUSE_CHARS_MAX = 1_000;
export const LOG_CHARS_MAX = 8_192;

/** Log lines per second and pipeline; further lines are counted. */
export const LOG_LINES_PER_SECOND_MAX = 200;

/** Active runs that one trigger node began. */
export const RUNS_PER_TRIGGER_MAX = 100;

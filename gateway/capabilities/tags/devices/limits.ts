/** Orders that wait for the thread to take those before them; a thread that lets more pile up counts as hung. */
export const ORDERS_WAITING_MAX = 5_000;
/** Writes of all devices together that have no answer yet; more are refused. */
export const WRITES_PENDING_MAX = 1_000;
/** The same of one project's devices. */
export const WRITES_PENDING_PER_PROJECT_MAX = WRITES_PENDING_MAX / 2;
/** Connection tests under way at once; more are refused. */
export const PROBES_PENDING_MAX = 20;

/** Updates in one batch that the main thread of the gateway handles at once. */
export const NEWS_PER_BATCH_MAX = 2_000;
/** Characters of the values in one batch; the last value may exceed it. */
export const CHARS_PER_BATCH_MAX = 1_048_576;
/** Pending updates above which only the newest of each tag is kept. */
export const NEWS_WAITING_MAX = 10_000;
/** Characters of the values that wait, before only the newest of each tag is kept. */
export const CHARS_WAITING_MAX = 16 * 1_048_576;
/** Log lines that wait; what is beyond is counted and left out. */
export const LINES_WAITING_MAX = 1_000;

/** The thread is asked for a heartbeat each PING_MS; one that leaves PINGS_UNANSWERED_MAX in a row out hangs. */
export const PING_MS = 2_000;
export const PINGS_UNANSWERED_MAX = 5;
/** While it starts and loads its modules, on a machine that is busy with that for many. */
export const PINGS_UNANSWERED_STARTING_MAX = 15;
/** A thread that lived this long was sound: the next restart is quick again. */
export const STEADY_MS = 60_000;
/** Nothing was open for this long: the thread and its libraries are let go. */
export const IDLE_MS = 30_000;
/** A settings change is acknowledged within 2 s: a thread that has not taken it after this is ended instead. */
export const SETTINGS_MS_MAX = 1_000;
/** Time until the tags of refused connections have been reported; the refusal itself takes effect earlier. */
export const SETTINGS_ACK_MS_MAX = 500;
/** A provider's own end, sessions and sockets included. */
export const PROVIDER_CLOSE_MS_MAX = 2_500;
export const THREAD_END_MS_MAX = 150;

/** The OPC UA library takes about 100 MB; the rest is for tags and their values. */
export const THREAD_RESOURCES = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 };

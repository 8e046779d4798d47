/** Orders that wait until the thread has received earlier ones; a thread with a longer queue counts as hung. */
export const ORDERS_WAITING_MAX = 5_000;
/** Unanswered writes of all devices together; further ones are refused. */
export const WRITES_PENDING_MAX = 1_000;
/** The same for the devices of one project. */
export const WRITES_PENDING_PER_PROJECT_MAX = WRITES_PENDING_MAX / 2;
/** Concurrent connection tests; further ones are refused. */
export const PROBES_PENDING_MAX = 20;

/** Updates in one batch, which the main thread of the gateway processes at once. */
export const NEWS_PER_BATCH_MAX = 2_000;
/** Characters of the values in one batch; the last value may exceed it. */
export const CHARS_PER_BATCH_MAX = 1_048_576;
/** Pending updates above which only the newest of each tag is kept. */
export const NEWS_WAITING_MAX = 10_000;
/** Characters of the waiting values above which only the newest value of each tag is kept. */
export const CHARS_WAITING_MAX = 16 * 1_048_576;
/** Waiting log lines; further ones are counted and dropped. */
export const LINES_WAITING_MAX = 1_000;

/**
 * The thread is pinged every PING_MS; after PINGS_UNANSWERED_MAX consecutive pings without a reply it counts as hung.
 */
export const PING_MS = 2_000;
export const PINGS_UNANSWERED_MAX = 5;
/** The same while it starts and loads its modules, which takes longer on a busy machine. */
export const PINGS_UNANSWERED_STARTING_MAX = 15;
/** A thread that ran for this long was healthy: the next restart is quick again. */
export const STEADY_MS = 60_000;
/** After nothing was open for this long, the thread and its libraries are released. */
export const IDLE_MS = 30_000;
/** A change of settings is acknowledged within 2 s: a thread that has not applied it after this time is ended. */
export const SETTINGS_MS_MAX = 1_000;
/** Time until the tags of refused connections have been reported; the refusal itself takes effect earlier. */
export const SETTINGS_ACK_MS_MAX = 500;
/** For closing a provider, including sessions and sockets. */
export const PROVIDER_CLOSE_MS_MAX = 2_500;
export const THREAD_END_MS_MAX = 150;

/** The OPC UA library takes about 100 MB; the rest is for tags and their values. */
export const THREAD_RESOURCES = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 };

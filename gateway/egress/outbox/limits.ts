/** Retries (docs/spec/egress.md#retries). */
export const RETRY_MS_FIRST = 1_000;
export const RETRY_MS_MAX = 5 * 60_000;
export const RETRY_JITTER = 0.2;
export const RETRY_AFTER_MS_MAX = 60 * 60_000;

/** A head that was answered with 408, 425 or 5xx this often over this long lets the next event be tried. */
export const POISON_ANSWERS = 5;
export const POISON_MS = 15 * 60_000;
/** Dead letters in a row, none delivered between them, that pause their target. */
export const DEAD_STREAK_MAX = 3;

/** Calls in progress: in all, and to one target (each of another queue); 1 to a target that did not answer. */
export const SENDS_MAX = 96;
export const SENDS_PER_TARGET_MAX = 8;
/** Of one project, while other projects store calls too. */
export const SENDS_PER_PROJECT_MAX = SENDS_MAX / 2;
/** The more calls are in progress, the fewer may go to one target: `perTarget` while there are at least `from`. */
export const SEND_SHARES: readonly { readonly from: number; readonly perTarget: number }[] = [
  { from: 84, perTarget: 1 },
  { from: 72, perTarget: 2 },
  { from: 64, perTarget: 4 },
];
/** From this many on, a target that did not answer its last call, or was never called, gets none. */
export const SENDS_UNPROVEN_MAX = 92;
/** After this many seconds without a free place, an alarm names the targets that ended no call for SILENT_MS. */
export const CROWDED_SECONDS = 5;
export const SILENT_MS = 5_000;

/** Parts of the buffer: of a project while others store calls too, and of one of its targets beside others. */
export const PROJECT_SHARE = 1 / 2;
export const TARGET_SHARE = 3 / 4;
/** An event that waited longer belongs to a backlog, which drains at the rate of the settings. */
export const BACKLOG_AGE_MS = 2_000;

/** Deliveries and attempts are written together: after this time, or once this many wait. */
export const SETTLE_MS = 20;
export const UNSETTLED_FLUSH = 128;
/** Beyond, nothing more is sent until the disk takes them: a crash would send all of them again. */
export const UNSETTLED_MAX = 512;
export const WRITE_RETRY_MS = 1_000;

/** How long a node waits for its event to be stored. */
export const STORE_MS_MAX = 5_000;
/** How much longer it waits for the word of the thread, which may have stored the event in the last moment. */
export const STORE_GRACE_MS = 1_000;
export const TOO_LATE = 'the event was not stored in time: the disk is slow or hangs';
/** Events that wait to be stored, in number and in bytes of their bodies. */
export const PENDING_EVENTS_MAX = 10_000;
export const PENDING_BYTES_MAX = 256 * 1024 * 1024;
/** Of one project while others store calls, whose events wait behind it for the disk. */
export const PENDING_BYTES_PER_PROJECT_MAX = 32 * 1024 * 1024;

export const TARGETS_MAX = 1_000;
/** Queues that have events: one per target and ordering key. */
export const QUEUES_MAX = 100_000;
/** From here on, only targets with fewer than QUEUES_FEW get further ones. */
export const QUEUES_SHARED = QUEUES_MAX * 0.9;
export const QUEUES_FEW = QUEUES_MAX / 100;
export const LINES_MAX = 10_000;
/** Bytes of an event in the buffer in addition to its sealed bytes: its row and its index entries. */
export const EVENT_OVERHEAD_BYTES = 512;

export const REHEARSAL_MS = 60_000;
export const REHEARSAL_SAMPLES_MAX = 600;
/** A buffer that fills later than this does not fill. */
export const FULL_IN_SECONDS_MAX = 366 * 24 * 60 * 60;
export const NEWS_MS = 1_000;
/** Targets that an alarm names. */
export const SHARES_LISTED_MAX = 5;
export const DISK_LOOK_MS = 1_000;
export const ANSWER_TEXT_CHARS_MAX = 200;

/** A response to a user has at most this size; payloads of a page together. */
export const PAGE_EVENTS_MAX = 1_000;
export const PAGE_PAYLOAD_BYTES_MAX = 4 * 1024 * 1024;

/** At an orderly stop, calls in progress get this long before they are cut off; they are repeated at the next start. */
export const CLOSE_GRACE_MS = 2_000;
export const THREAD_RESTART_MS = 1_000;
export const THREAD_RESTART_MS_MAX = 60_000;
/** A thread that served so long has not failed at its start: the next end counts as the first. */
export const THREAD_LASTED_MS = 60_000;

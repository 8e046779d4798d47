/** Retries (docs/spec/egress.md#retries). */
export const RETRY_MS_FIRST = 1_000;
export const RETRY_MS_MAX = 5 * 60_000;
export const RETRY_JITTER = 0.2;
export const RETRY_AFTER_MS_MAX = 60 * 60_000;

/** After a head was answered with 408, 425 or 5xx this often over this long, the next event is tried. */
export const POISON_ANSWERS = 5;
export const POISON_MS = 15 * 60_000;
/** Consecutive dead letters, without a delivery in between, after which their target is paused. */
export const DEAD_STREAK_MAX = 3;

/** Calls in progress: in total, and to one target (each from another queue); 1 to a target that did not respond. */
export const SENDS_MAX = 96;
export const SENDS_PER_TARGET_MAX = 8;
/** Per project, while other projects store calls too. */
export const SENDS_PER_PROJECT_MAX = SENDS_MAX / 2;
/** The more calls are in progress, the fewer may go to one target: `perTarget` while there are at least `from`. */
export const SEND_SHARES: readonly { readonly from: number; readonly perTarget: number }[] = [
  { from: 84, perTarget: 1 },
  { from: 72, perTarget: 2 },
  { from: 64, perTarget: 4 },
];
/** From this many on, a target that did not respond to its last call, or was never called, gets no place. */
export const SENDS_UNPROVEN_MAX = 92;
/** After this many seconds without a free place, an alarm names the targets that completed no call for SILENT_MS. */
export const CROWDED_SECONDS = 5;
export const SILENT_MS = 5_000;

/** Shares of the buffer: of a project while others store calls too, and of one of its targets among others. */
export const PROJECT_SHARE = 1 / 2;
export const TARGET_SHARE = 3 / 4;
/** An event that waited longer belongs to a backlog, which drains at the rate of the settings. */
export const BACKLOG_AGE_MS = 2_000;

/** Deliveries and attempts are written together: after this time, or when this many are pending. */
export const SETTLE_MS = 20;
export const UNSETTLED_FLUSH = 128;
/** Above this limit, nothing is sent until the disk has stored them: a crash would send all of them again. */
export const UNSETTLED_MAX = 512;
export const WRITE_RETRY_MS = 1_000;

/** How long a node waits for its event to be stored. */
export const STORE_MS_MAX = 5_000;
/** Additional time for the thread's reply, because it may have stored the event at the last moment. */
export const STORE_GRACE_MS = 1_000;
export const TOO_LATE = 'the event was not stored in time: the disk is slow or hangs';
/** Events that wait to be stored: their number, and bytes of their bodies. */
export const PENDING_EVENTS_MAX = 10_000;
export const PENDING_BYTES_MAX = 256 * 1024 * 1024;
/** Per project while others store calls, whose events wait behind it for the disk. */
export const PENDING_BYTES_PER_PROJECT_MAX = 32 * 1024 * 1024;

export const TARGETS_MAX = 1_000;
/** Queues that have events: one per target and ordering key. */
export const QUEUES_MAX = 100_000;
/** Above this number, only targets with fewer than QUEUES_FEW get further ones. */
export const QUEUES_SHARED = QUEUES_MAX * 0.9;
export const QUEUES_FEW = QUEUES_MAX / 100;
export const LINES_MAX = 10_000;
/** Bytes of an event in the buffer in addition to its encrypted content: its row and its index entries. */
export const EVENT_OVERHEAD_BYTES = 512;

export const REHEARSAL_MS = 60_000;
export const REHEARSAL_SAMPLES_MAX = 600;
/** A buffer that would be full later than this does not count as filling. */
export const FULL_IN_SECONDS_MAX = 366 * 24 * 60 * 60;
export const NEWS_MS = 1_000;
/** Targets that an alarm names. */
export const SHARES_LISTED_MAX = 5;
export const DISK_LOOK_MS = 1_000;
export const ANSWER_TEXT_CHARS_MAX = 200;
/** Tries that are kept for each event: the first and the latest. Earlier ones keep less of the response's text. */
export const TRIES_KEPT = 12;
export const EARLIER_TEXT_CHARS_MAX = 80;

/** Size limit of a response to a user; it applies to the payloads of a page together. */
export const PAGE_EVENTS_MAX = 1_000;
export const PAGE_PAYLOAD_BYTES_MAX = 4 * 1024 * 1024;

/**
 * At an orderly stop, calls in progress get this much time before they are cut off; they are repeated at the next
 * start.
 */
export const CLOSE_GRACE_MS = 2_000;
export const THREAD_RESTART_MS = 1_000;
export const THREAD_RESTART_MS_MAX = 60_000;
/** A thread that ran for this long did not fail at its start: its next end counts as the first. */
export const THREAD_LASTED_MS = 60_000;

/** All limits of the historian. */

/** The longest time before a point is committed: a crash loses at most this much. */
export const BATCH_MS = 250;
export const BATCH_POINTS_MAX = 5_000;
/** Points that wait for the disk; further ones are dropped, counted and logged. */
export const QUEUE_POINTS_MAX = 200_000;
/** Characters of the texts among them. */
export const QUEUE_CHARS_MAX = 32 * 1024 * 1024;
/** A longer text or JSON value is recorded as bad. */
export const VALUE_CHARS_MAX = 65_536;
/** If the clock of a source is ahead by more than this, the time of arrival is recorded. */
export const CLOCK_AHEAD_MS_MAX = 86_400_000;

export const RETENTION_DAYS = 400;
export const HISTORY_BYTES_MAX = 8 * 1024 ** 3;
export const PRUNE_EVERY_MS = 60_000;
/** Rows per deletion, so that a batch never waits long for one. */
export const PRUNE_ROWS = 2_000;

export const DISK_CHECK_MS = 5_000;
/** Free space above the reserve that is needed to resume recording, as a hysteresis. */
export const DISK_MARGIN_BYTES = 64 * 1024 * 1024;

export const SERIES_PER_QUERY_MAX = 100;
/** Points of all series in one result. */
export const ANSWER_POINTS_MAX = 200_000;
/** Characters of the texts and JSON values in one result. */
export const ANSWER_CHARS_MAX = 16 * 1024 * 1024;
/** Concurrent queries; they are processed in turns, chunk by chunk. */
export const QUERIES_MAX = 32;
export const QUERIES_PER_PROJECT_MAX = 16;
export const QUERY_MS_MAX = 30_000;
/** Rows that a query reads before the next query gets its turn. */
export const CHUNK_ROWS = 2_000;

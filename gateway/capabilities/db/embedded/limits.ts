/** Pages of 4 KiB that the file can have: 4 GiB. */
export const PAGES_MAX = 1_048_576;
export const PAGE_BYTES = 4096;
/**
 * Bytes of the WAL beside the file: above this limit it is written into the file and emptied after the statement. A
 * statement may write this much on a disk without space, so that data can be deleted.
 */
export const WAL_BYTES_KEPT = 4 * 1024 * 1024;
/** Changes that are kept in memory before they are written to the WAL; a commit writes at most this much at once. */
export const CACHE_KIB = 2_000;
/** Bytes of one text or blob, and of a statement's SQL. */
export const VALUE_BYTES_MAX = 16 * 1024 * 1024;
export const SQL_BYTES_MAX = 512 * 1024;
/** Resident memory of the process; above it the process ends itself and the statement fails. */
export const MEMORY_BYTES_MAX = 512 * 1024 * 1024;
export const HEAP_MB_MAX = 256;
export const WATCH_MS = 50;
/** Waiting calls, including the running one. */
export const JOBS_MAX = 200;
/** A process that was idle for this long is ended; the next call starts another one. */
export const IDLE_MS_MAX = 300_000;
/** How long the process may take to close its file before it is killed. */
export const END_MS_MAX = 1_000;

/** Pages of 4 KiB that the file may have: 4 GiB. */
export const PAGES_MAX = 1_048_576;
/** Bytes of one text or blob, and of a statement's SQL. */
export const VALUE_BYTES_MAX = 16 * 1024 * 1024;
export const SQL_BYTES_MAX = 512 * 1024;
/** Resident memory of the process; above it the process ends itself and the statement fails. */
export const MEMORY_BYTES_MAX = 512 * 1024 * 1024;
export const HEAP_MB_MAX = 256;
export const WATCH_MS = 50;
/** Calls that wait for the process, the one under way counted. */
export const JOBS_MAX = 200;
/** A process that nothing was asked of for so long is ended; the next call starts another one. */
export const IDLE_MS_MAX = 300_000;
/** How long the process may take to close its file before it is killed. */
export const END_MS_MAX = 1_000;

/** Rows of a statement that is not a named query; named queries have their own limit. */
export const SQL_ROWS_MAX = 10_000;
/** Bytes of the rows of one result, as sent by the server; further rows are omitted and `truncated` is set. */
export const RESULT_BYTES_MAX = 16 * 1024 * 1024;
/** Maximum duration of a statement. A run with less time left ends it earlier. */
export const STATEMENT_MS_MAX = 300_000;
/** How long a database may take to list its tables. */
export const SCHEMA_MS_MAX = 10_000;
/** How long to wait for the response to a cancellation before the session is closed. */
export const CANCEL_MS_MAX = 2_000;
/** Maximum number of calls that wait for a session of one connection. */
export const WAITERS_MAX = 200;
/** How long a call waits for a session that another call uses. */
export const ACQUIRE_MS_MAX = 5_000;
/** A session that was idle for longer is tested before it is used. */
export const TRUSTED_IDLE_MS = 5_000;
/** A session unused for longer is closed. */
export const IDLE_MS_MAX = 60_000;
/** Characters of a server's message that are passed on. */
export const MESSAGE_CHARS_MAX = 1_000;
/** How long a server may take to respond to a connection test, once it is connected. */
export const TEST_MS_MAX = 5_000;

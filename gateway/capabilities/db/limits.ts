/** Rows of a statement that is not a named query, which has a limit of its own. */
export const SQL_ROWS_MAX = 10_000;
/** Size of the rows of one result, as the server sent them; further rows are omitted and `truncated` is set. */
export const RESULT_BYTES_MAX = 16 * 1024 * 1024;
/** Maximum duration of a statement. A run with less time left ends it earlier. */
export const STATEMENT_MS_MAX = 300_000;
/** How long to wait for the response to a cancellation before the session is closed. */
export const CANCEL_MS_MAX = 2_000;
/** Maximum number of calls that wait for a session of one connection. */
export const WAITERS_MAX = 200;
/** How long a call waits for a session that another one holds. */
export const ACQUIRE_MS_MAX = 5_000;
/** A session that was idle for longer is pinged before it is used. */
export const TRUSTED_IDLE_MS = 5_000;
/** A session unused for longer is closed. */
export const IDLE_MS_MAX = 60_000;
/** Characters of a server's message that are passed on. */
export const MESSAGE_CHARS_MAX = 1_000;
/** How long a connection that is tested may take to answer, once it is there. */
export const TEST_MS_MAX = 5_000;

/**
 * The prelude's functions for the host, by index.
 * - `load(x)`: takes the evaluated module, or the promise of it.
 * - `run(given)`: calls the script with the message, given as JSON text or as the data itself; returns the result as
 *   text, or '' while it waits.
 * - `take()`: the result of the wait: the text, the thrown error, or '' if it still waits.
 * - `lend(buffer)`: bytes for the next message; `chunk(i)`: the bytes of the result, as ArrayBuffer.
 * - `describe(error)`: `[name, message, stack, cause, calls]` as JSON, each bounded: the failed call, and whether calls
 *   must be fetched.
 * - `requests()`: the capability calls made since the last time, `[[[id, name, text, chunks, leftOut]], unheard]` as
 *   JSON; `sent(i)`: their bytes, one after the other.
 * - `answer(text)`: the result of a call, `<id>:<1 or 0><json>`.
 *
 * A result begins with `c` if calls must be fetched first.
 *
 * Bytes are carried beside the JSON. A result with bytes reads `b<count>:<json>`; inside, a string that begins with
 * U+0001 is a reference to chunk number n (U+0001, then n), and any other string that begins with it gets one more
 * U+0001. No text can therefore be mistaken for bytes. Messages use the same form.
 */
export const ENTRY = {
  load: 0,
  run: 1,
  take: 2,
  lend: 3,
  chunk: 4,
  describe: 5,
  requests: 6,
  sent: 7,
  answer: 8,
} as const;

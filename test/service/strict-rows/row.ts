import type { ErrorCode } from '#common/errors/catalogue.ts';

/** One malformed or forbidden request (docs/spec/requests.md#strict-http). `%KEY%` is replaced by a valid key. */
export interface StrictRow {
  readonly family: string;
  readonly name: string;
  readonly bytes: string;
  readonly code: ErrorCode;
  /** Codes that are correct if it is sent in pieces or after another request. */
  readonly inPieces?: readonly ErrorCode[];
  /** It announces more than is sent: the caller ends its side after it. */
  readonly fin?: boolean;
}

export const HEAD = 'Host: 127.0.0.1\r\nX-API-Key: %KEY%\r\n';
export const BODY = 'Content-Length: 2\r\n\r\n{}';
/** A request that must never be parsed from another one's bytes: running it runs `count`. */
export const HIDDEN = `GET /items/hidden HTTP/1.1\r\n${HEAD}\r\n`;
/** The growth of the text when `%KEY%` is replaced by the key. */
const KEY_GROWS = 66 - '%KEY%'.length;

export const long = (count: number, char = 'a') => char.repeat(count);

/** A whole request from its request line on, with its Host and key. */
export const request = (line: string, lines = '', rest = '\r\n') => `${line}\r\n${HEAD}${lines}${rest}`;
export const post = (lines: string, rest = BODY) => request('POST /count HTTP/1.1', lines, rest);
export const get = (target: string) => request(`GET ${target} HTTP/1.1`);
export const withHost = (host: string) => `GET /count HTTP/1.1\r\n${host}X-API-Key: %KEY%\r\n\r\n`;
export const chunked = (body: string) => post('Transfer-Encoding: chunked\r\n', `\r\n${body}`);

/** Length in bytes with every key filled in. */
export function sentLength(text: string): number {
  return text.length + (text.split('%KEY%').length - 1) * KEY_GROWS;
}

export function family(
  name: string,
  rows: Readonly<Record<string, string>>,
  code: ErrorCode = 'bad_request',
  more: Pick<StrictRow, 'fin' | 'inPieces'> = {},
): StrictRow[] {
  return Object.entries(rows).map(([row, bytes]) => ({ family: name, name: row, bytes, code, ...more }));
}

/** Rows from a list of texts: each is named by its text, in JSON. */
export function each(texts: readonly string[], bytes: (text: string) => string): Record<string, string> {
  return Object.fromEntries(texts.map((text) => [JSON.stringify(text), bytes(text)]));
}

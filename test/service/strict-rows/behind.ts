import type { ErrorCode } from '#common/errors/catalogue.ts';
import { BODY, family, HIDDEN, long, request, sentLength, type StrictRow } from './row.ts';

const LENGTH = `Content-Length: ${sentLength(HIDDEN)}\r\n`;
const CHUNK = `${sentLength(HIDDEN).toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;
const OTHER_KEY = 'slc_000000000000_00000000000000000000000000000000000000000000000000';

/** Requests that are refused although they are well-formed: a request line, headers, and the code. */
const REFUSALS: Readonly<Record<string, { line: string; lines?: string; code: ErrorCode }>> = {
  'no route': { line: 'POST /nothing HTTP/1.1', code: 'not_found' },
  'another method': { line: 'POST /read HTTP/1.1', code: 'not_found' },
  'another address': { line: 'POST /elsewhere HTTP/1.1', code: 'ip_not_allowed' },
  'another origin': {
    line: 'POST /count HTTP/1.1',
    lines: 'Origin: http://evil.example\r\n',
    code: 'origin_not_allowed',
  },
  'a scope that lacks': { line: 'POST /scoped HTTP/1.1', code: 'scope_missing' },
  'a content coding': {
    line: 'POST /count HTTP/1.1',
    lines: 'Content-Encoding: gzip\r\n',
    code: 'unsupported_media_type',
  },
  'a body over the limit': { line: 'POST /small HTTP/1.1', code: 'payload_too_large' },
  'a body that is not JSON': {
    line: 'POST /count HTTP/1.1',
    lines: 'Content-Type: application/json\r\n',
    code: 'body_invalid',
  },
  'another charset': {
    line: 'POST /count HTTP/1.1',
    lines: 'Content-Type: text/plain; charset=utf-16\r\n',
    code: 'unsupported_media_type',
  },
};

const hiding = (way: (line: string, lines: string) => string, name: string): StrictRow[] =>
  Object.entries(REFUSALS).flatMap(([refusal, { line, lines = '', code }]) =>
    family('a refusal whose body is a request', { [`${refusal}, ${name}`]: way(line, lines) }, code),
  );

/** Well-formed requests that are refused by a later step: their bodies, requests themselves, are never run. */
export const BEHIND_ROWS = [
  ...hiding((line, lines) => request(line, `${lines}${LENGTH}`, `\r\n${HIDDEN}`), 'by its length'),
  ...hiding((line, lines) => request(line, `${lines}Transfer-Encoding: chunked\r\n`, `\r\n${CHUNK}`), 'in a chunk'),
  ...hiding(
    (line, lines) =>
      request(line.replace('1.1', '1.0'), `${lines}Connection: keep-alive\r\n${LENGTH}`, `\r\n${HIDDEN}`),
    'in HTTP/1.0',
  ),
  ...family(
    'a key that opens nothing',
    {
      none: `POST /count HTTP/1.1\r\nHost: a\r\n${LENGTH}\r\n${HIDDEN}`,
      'none, in a chunk': `POST /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNK}`,
      'only as a query': `GET /count?X-API-Key=%KEY% HTTP/1.1\r\nHost: a\r\n\r\n`,
      'only as a cookie': `GET /count HTTP/1.1\r\nHost: a\r\nCookie: X-API-Key=%KEY%\r\n\r\n`,
      'only as a bearer token': `GET /count HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %KEY%\r\n\r\n`,
    },
    'key_missing',
  ),
  ...family(
    'a key that opens nothing',
    {
      unknown: `POST /count HTTP/1.1\r\nHost: a\r\nX-API-Key: ${OTHER_KEY}\r\n${LENGTH}\r\n${HIDDEN}`,
      empty: `POST /count HTTP/1.1\r\nHost: a\r\nX-API-Key:\r\n${BODY}`,
      'with a space inside': `POST /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY% x\r\n${BODY}`,
      'with another in front': `POST /count HTTP/1.1\r\nHost: a\r\nX-API-Key: ${OTHER_KEY} %KEY%\r\n${BODY}`,
      'in quotation marks': `POST /count HTTP/1.1\r\nHost: a\r\nX-API-Key: "%KEY%"\r\n${BODY}`,
      'as a bearer token': `POST /count HTTP/1.1\r\nHost: a\r\nX-API-Key: Bearer %KEY%\r\n${BODY}`,
      'with a no-break space after it': `POST /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%\xa0\r\n${BODY}`,
      'very long': `POST /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%${long(4000)}\r\n${BODY}`,
      'twice, with others between': `GET /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%\r\nX: a\r\nX-API-Key: %KEY%\r\n\r\n`,
    },
    'key_invalid',
  ),
];

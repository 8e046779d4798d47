import { family, long, request } from './row.ts';

/** Headers over 64 lines or 8 KiB. */
export const LARGE_ROWS = family(
  'large headers',
  {
    '65 lines': request('GET /count HTTP/1.1', Array.from({ length: 63 }, (_, at) => `X-${at}: a\r\n`).join('')),
    '200 lines': request('GET /count HTTP/1.1', Array.from({ length: 198 }, (_, at) => `X-${at}: a\r\n`).join('')),
    'one value over 8 KiB': request('GET /count HTTP/1.1', `X-Trace: ${long(8300)}\r\n`),
    'one name over 8 KiB': request('GET /count HTTP/1.1', `X-${long(8300)}: a\r\n`),
    'many lines over 8 KiB': request('GET /count HTTP/1.1', `X-Trace: ${long(400)}\r\n`.repeat(21)),
    'over all that the parser reads': request('GET /count HTTP/1.1', `X-Trace: ${long(30_000)}\r\n`),
    '65 lines, all empty': request(
      'GET /count HTTP/1.1',
      Array.from({ length: 63 }, (_, at) => `X-${at}:\r\n`).join(''),
    ),
    '65 lines of one name': request('GET /count HTTP/1.1', 'X: a\r\n'.repeat(63)),
    '2,000 lines': request('GET /count HTTP/1.1', 'X:\r\n'.repeat(2000)),
    'one byte over 8 KiB': request('GET /count HTTP/1.1', `X: ${long(8096)}\r\n`),
    'a cookie over 8 KiB': request('GET /count HTTP/1.1', `Cookie: ${long(9000)}\r\n`),
    'a name and a value over 8 KiB together': request('GET /count HTTP/1.1', `X-${long(4100)}: ${long(4100)}\r\n`),
    'over 8 KiB after a body to come': request(
      'POST /count HTTP/1.1',
      `Content-Length: 2\r\nX: ${long(8300)}\r\n`,
      '\r\n{}',
    ),
    'over 16 KiB in many lines': request('GET /count HTTP/1.1', `X-Trace: ${long(400)}\r\n`.repeat(60)),
  },
  'headers_too_large',
);

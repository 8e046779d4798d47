import { family, post } from './row.ts';

/** Control bytes, bare CR and bare LF in values. */
export const VALUE_ROWS = family('header value', {
  ...Object.fromEntries(
    [0x00, 0x01, 0x07, 0x08, 0x0b, 0x0c, 0x1b, 0x1f, 0x7f].map((byte) => [
      `control byte 0x${byte.toString(16).padStart(2, '0')}`,
      post(`X-Trace: a${String.fromCharCode(byte)}b\r\n`),
    ]),
  ),
  'a bare CR': post('X-Trace: a\rb\r\n'),
  'a bare LF that hides a header': post('X-Trace: a\nX-Other: b\r\n'),
  'a control byte in the key': 'GET /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%\x01\r\n\r\n',
  'every other control byte': post(
    Array.from({ length: 0x20 }, (_, byte) => String.fromCharCode(byte))
      .filter((char) => !'\t\n\r'.includes(char))
      .map((char, at) => `X-${at}: ${char}\r\n`)
      .join(''),
  ),
  'a NUL at the end': post('X-Trace: a\0\r\n'),
  'a NUL alone': post('X-Trace: \0\r\n'),
  'a bare CR at the end': post('X-Trace: a\r\r\n'),
  'a bare CR that hides Transfer-Encoding': post('X-Trace: a\rTransfer-Encoding: chunked\r\n', '\r\n0\r\n\r\n'),
  'a bare LF that hides Transfer-Encoding': post('X-Trace: a\nTransfer-Encoding: chunked\r\n', '\r\n0\r\n\r\n'),
  'a bare LF that hides the end of the head': post('X-Trace: a\n\nGET /count HTTP/1.1\r\n'),
  'a bare CR that hides the end of the head': post('X-Trace: a\r\rGET /count HTTP/1.1\r\n'),
  'LF CR for CR LF': post('X-Trace: a\n\rX-Other: b\r\n'),
  'a control byte in Content-Type': post('Content-Type: application/json\x01\r\n'),
  'a control byte in X-Request-Id': post('X-Request-Id: a\x1b[2Jb\r\n'),
  'a NUL in Origin': post('Origin: http://127.0.0.1\0.evil\r\n'),
});

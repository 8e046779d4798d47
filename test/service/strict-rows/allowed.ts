import { BODY, chunked, get, HIDDEN, long, post, request, sentLength, withHost } from './row.ts';

const hidden = (method: string) =>
  request(`${method} /count HTTP/1.1`, `Content-Length: ${sentLength(HIDDEN)}\r\n`, `\r\n${HIDDEN}`);

/** Permitted edge cases: each request is served once, and data after it is read as a separate request. */
export const ALLOWED_ROWS: Readonly<Record<string, string>> = {
  'HTTP/1.0 without a Host': 'GET /count HTTP/1.0\r\nX-API-Key: %KEY%\r\n\r\n',
  // Node cannot distinguish it from HTTP/1.0; with every other RTSP method it is refused.
  'RTSP/1.0 with GET, read as HTTP/1.0': request('GET /count RTSP/1.0'),
  'HTTP/1.0 with POST': request('POST /count HTTP/1.0', '', BODY),
  'a Host with a port': withHost('Host: edge-7.plant.local:8090\r\n'),
  'a Host with IPv6 and a port': withHost('Host: [::1]:8090\r\n'),
  'a Host with IPv4': withHost('Host: 10.0.0.7\r\n'),
  'a Host with a final dot': withHost('Host: edge-7.\r\n'),
  'a tab in a value': request('GET /count HTTP/1.1', 'X-Trace: a\tb\r\n'),
  'a byte beyond ASCII in a value': request('GET /count HTTP/1.1', 'X-Trace: \xe4\r\n'),
  'an empty value': request('GET /count HTTP/1.1', 'X-Trace:\r\n'),
  'no space after the colon': request('GET /count HTTP/1.1', 'X-Trace:a\r\n'),
  '64 lines': request('GET /count HTTP/1.1', Array.from({ length: 62 }, (_, at) => `X-${at}: a\r\n`).join('')),
  'just under 8 KiB of headers': request('GET /count HTTP/1.1', `X-Trace: ${long(8000)}\r\n`),
  'a target of 4,096 bytes': get(`/items/${long(4089)}`),
  'an empty line before the request': `\r\n${request('GET /count HTTP/1.1')}`,
  'a repeated header that may be repeated': request('GET /count HTTP/1.1', 'X-Trace: a\r\nX-Trace: b\r\n'),
  'chunks with sizes in both cases': chunked('A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n'),
  'a chunk size with leading zeros': chunked('0005\r\nhello\r\n0\r\n\r\n'),
  'a chunk extension': chunked('5;a=b\r\nhello\r\n0\r\n\r\n'),
  'an empty chunked body': chunked('0\r\n\r\n'),
  'a parameter of two dots': get('/items/..'),
  'a parameter of two escaped dots and a slash': get('/items/%2e%2e%2fcount'),
  'a parameter that is escaped twice': get('/items/%252e%252e'),
  'a second question mark': get('/count?a=b?c'),
  'empty lines before the request': `${'\r\n'.repeat(50)}${get('/count')}`,
  // RFC 9112 3: white space between the parts of a request line may be parsed as a single space.
  'two spaces in the request line': request('GET  /count  HTTP/1.1'),
  // RFC 9112 2.2: the parser skips an empty line before a request line.
  'LF alone before the request': `\n${get('/count')}`,
  'a last chunk of many zeros': chunked('5\r\nhello\r\n000000\r\n\r\n'),
  'a quoted chunk extension': chunked('5;a="b c"\r\nhello\r\n0\r\n\r\n'),
  'an extension of the last chunk': chunked('5\r\nhello\r\n0;a=b\r\n\r\n'),
  'Transfer-Encoding in capitals': post('TRANSFER-ENCODING: chunked\r\n', '\r\n0\r\n\r\n'),
  'a tab before Content-Length': post('Content-Length:\t2\t\r\n', '\r\n{}'),
  'Connection: Transfer-Encoding': post(
    'Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n',
    '\r\n0\r\n\r\n',
  ),
  'Connection: X-API-Key': post('Connection: X-API-Key\r\n'),
  'Connection: Upgrade without Upgrade': post('Connection: Upgrade\r\n'),
  'TE: chunked': post('TE: chunked\r\n'),
  'X-HTTP-Method-Override': post('X-HTTP-Method-Override: DELETE\r\n'),
  'X-Original-URL': post('X-Original-URL: /items/hidden\r\n'),
  'GET with a body that is a request': hidden('GET'),
  'DELETE with a body that is a request': hidden('DELETE'),
  'OPTIONS with a body that is a request': hidden('OPTIONS'),
  'PROPFIND with a body that is a request': hidden('PROPFIND'),
  'POST with a body that is a request': hidden('POST'),
  'a chunk that is a request': chunked(`${sentLength(HIDDEN).toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`),
  'Content-Length with leading zeros': post('Content-Length: 0002\r\n', '\r\n{}'),
};

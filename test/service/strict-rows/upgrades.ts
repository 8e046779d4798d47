import { BODY, HIDDEN, post, request, sentLength } from './row.ts';

const get = (lines: string) => request('GET /count HTTP/1.1', lines);

/** Requests for another protocol: each is served once, in HTTP/1, and data after it is not read. */
export const UPGRADE_ROWS: Readonly<Record<string, string>> = {
  "Upgrade: h2c, as Java's HttpClient asks": get(
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n',
  ),
  'Upgrade: h2c on POST with a body': post(
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
  ),
  'Upgrade: TLS/1.2, as Apache HttpClient asks': get('Upgrade: TLS/1.2\r\nConnection: Upgrade\r\n'),
  'Upgrade: TLS/1.0 on OPTIONS': request('OPTIONS /count HTTP/1.1', 'Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n'),
  'Upgrade: websocket': get(
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
  ),
  'Upgrade without Connection': get('Upgrade: websocket\r\n'),
  'Upgrade on POST with a body': post('Connection: upgrade\r\nUpgrade: foo\r\n'),
  'Upgrade: h2c with a body that is a request': post(
    `Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: ${sentLength(HIDDEN)}\r\n`,
    `\r\n${HIDDEN}`,
  ),
  'Upgrade: h2c in chunks': post(
    'Connection: Upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n',
    '\r\n0\r\n\r\n',
  ),
  'Upgrade: h2c with a chunk that is a request': post(
    'Connection: Upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n',
    `\r\n${sentLength(HIDDEN).toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
  ),
  'Upgrade: h2c in small letters': get('connection: upgrade\r\nupgrade: h2c\r\n'),
  'Upgrade: a list': get('Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n'),
  'Upgrade empty': get('Connection: Upgrade\r\nUpgrade:\r\n'),
  'Upgrade twice': get('Connection: Upgrade\r\nUpgrade: h2c\r\nUpgrade: h2c\r\n'),
  'Upgrade in HTTP/1.0': request('GET /count HTTP/1.0', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'),
  'Upgrade in HTTP/1.0 with a body': request('POST /count HTTP/1.0', 'Connection: Upgrade\r\nUpgrade: h2c\r\n', BODY),
};

import type { RequestFault } from '#common/errors/request-faults.ts';
import { isIPv6 } from 'node:net';
import type { ExchangeRequest } from './caller.ts';
import { CLIENT_REQUEST_ID_CHARS_MAX, HEADER_BYTES_MAX, HEADER_LINES_MAX, TARGET_BYTES_MAX } from './limits.ts';

/** The parts of a head that the request path needs, read in one pass over the raw lines. */
export class Head {
  hosts = 0;
  host = '';
  contentLengths = 0;
  contentLength = 0;
  transferEncodings = 0;
  chunked = false;
  contentTypes = 0;
  contentType = '';
  contentEncoding = '';
  expects = 0;
  expectsContinue = false;
  origins = 0;
  origin = '';
  authorizations = 0;
  authorization = '';
  apiKeys = 0;
  apiKey = '';
  forwardedFor = '';
  /** Access-Control-Request-Method of a CORS preflight. */
  asksMethod = '';
  clientRequestId = '';
  traceparent = '';
  /** Why the head is refused with 400, or ''. */
  fault: RequestFault | '' = '';
  /** The name of the header with the fault, if it is in a header. */
  faulty = '';
  tooLarge = false;
  bytes = 0;
  lines = 0;

  get hasBody(): boolean {
    return this.chunked || this.contentLength > 0;
  }
}

const UPGRADE = 'upgrade';
const CONTROL_BYTE = /[\0-\x08\x0a-\x1f\x7f]/;
const DIGITS = /^\d{1,15}$/;
const HOST =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?)*\.?|\[([0-9A-Fa-f:.]{2,45})\])(?::(\d{1,5}))?$/;
const PORT_MAX = 65_535;
const METHODS_OF_1_0 = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']);
/** Node's parser accepts these with `RTSP/1.1` and `ICE/1.1` and then reports version 1.1. */
const METHODS_OF_RTSP_AND_ICE = new Set(
  'DESCRIBE ANNOUNCE SETUP PLAY PAUSE TEARDOWN GET_PARAMETER SET_PARAMETER REDIRECT RECORD FLUSH SOURCE'.split(' '),
);

/**
 * Reads and checks a head (docs/spec/requests.md#strict-http). Node's parser has already refused folding, bare CR or LF
 * and similar faults. `Upgrade` is not a fault: see `asksForUpgrade`.
 */
export function readHead(req: ExchangeRequest): Head {
  const head = new Head();
  const raw = req.rawHeaders;
  let bytes = 0;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] as string;
    const value = raw[i + 1] as string;
    bytes += name.length + value.length + 4;
    if (name.includes('_')) blame(head, name, 'a header name has an underscore');
    // An oversized head is refused for its size: searching it as well costs more than reading the rest.
    if (bytes <= HEADER_BYTES_MAX && CONTROL_BYTE.test(value)) blame(head, name, 'a header value has a control byte');
    readLine(head, name.toLowerCase(), value);
  }
  head.bytes = bytes;
  head.lines = raw.length / 2;
  head.tooLarge = head.lines > HEADER_LINES_MAX || bytes > HEADER_BYTES_MAX;
  if (head.fault === '' && !head.tooLarge) head.fault = judge(head, req);
  return head;
}

function blame(head: Head, name: string, fault: RequestFault): void {
  head.fault = fault;
  head.faulty = name;
}

function readLine(head: Head, name: string, value: string): void {
  switch (name) {
    case 'host':
      head.hosts++;
      head.host = value;
      return;
    case 'content-length':
      head.contentLengths++;
      if (DIGITS.test(value)) head.contentLength = Number(value);
      else head.fault = 'Content-Length is not one run of digits';
      return;
    case 'transfer-encoding':
      head.transferEncodings++;
      head.chunked = value === 'chunked';
      if (!head.chunked) head.fault = 'Transfer-Encoding is other than "chunked"';
      return;
    case 'content-type':
      head.contentTypes++;
      head.contentType = value;
      return;
    case 'content-encoding':
      head.contentEncoding = head.contentEncoding === '' ? value : `${head.contentEncoding},${value}`;
      return;
    case 'expect':
      head.expects++;
      head.expectsContinue = value.toLowerCase() === '100-continue';
      if (!head.expectsContinue) head.fault = 'Expect is other than "100-continue"';
      return;
    case 'origin':
      head.origins++;
      head.origin = value;
      return;
    case 'authorization':
      head.authorizations++;
      head.authorization = value;
      return;
    case 'x-api-key':
      head.apiKeys++;
      head.apiKey = value;
      return;
    case 'x-forwarded-for':
      head.forwardedFor = head.forwardedFor === '' ? value : `${head.forwardedFor},${value}`;
      return;
    case 'access-control-request-method':
      head.asksMethod = value;
      return;
    case 'x-request-id':
      head.clientRequestId = value.slice(0, CLIENT_REQUEST_ID_CHARS_MAX);
      return;
    case 'traceparent':
      // A repeated header is not a valid trace (W3C Trace Context, 3.2.1), and the joined value is invalid.
      head.traceparent = head.traceparent === '' ? value : `${head.traceparent},${value}`;
      return;
  }
}

function judge(head: Head, req: ExchangeRequest): RequestFault | '' {
  const version = req.httpVersion;
  if (version !== '1.1' && version !== '1.0') return 'the HTTP version is neither 1.0 nor 1.1';
  if (head.hosts > 1 || (head.hosts === 0 && version === '1.1')) return 'there is not exactly one Host';
  if (head.hosts === 1 && !isHost(head.host)) return 'Host is not a name or address with an optional port';
  if (head.contentLengths > 1) return 'Content-Length is repeated';
  if (head.transferEncodings > 1) return 'Transfer-Encoding is repeated';
  if (head.chunked && head.contentLengths > 0) return 'Transfer-Encoding and Content-Length stand together';
  if (head.chunked && version === '1.0') return 'Transfer-Encoding is not part of HTTP/1.0';
  if (head.contentTypes > 1) return 'Content-Type is repeated';
  if (head.expects > 1) return 'Expect is repeated';
  if (head.origins > 1) return 'Origin is repeated';
  if (head.authorizations > 1) return 'Authorization is repeated';
  const method = req.method ?? '';
  if (method === 'CONNECT' || method === 'TRACE') return `${method} is not offered`;
  if (METHODS_OF_RTSP_AND_ICE.has(method)) return 'the method is not an HTTP method';
  if (version === '1.0' && !METHODS_OF_1_0.has(method)) return 'the method is not part of HTTP/1.0';
  const target = req.url ?? '';
  if (target.length > TARGET_BYTES_MAX) return 'the target is over 4,096 bytes';
  if (!target.startsWith('/')) return 'the target does not start with "/"';
  if (target.includes('#')) return 'the target has a "#"';
  return '';
}

function isHost(text: string): boolean {
  const parts = HOST.exec(text);
  if (!parts) return false;
  const [, ipv6, port] = parts;
  return (ipv6 === undefined || isIPv6(ipv6)) && (port === undefined || Number(port) <= PORT_MAX);
}

/**
 * Whether a head asks for another protocol. Such a request is served as if it did not (RFC 9110, 7.8): Java's
 * HttpClient asks for h2c on every plain connection, Apache HttpClient for TLS. Its reply closes the connection: Node's
 * parser drops the bytes after it in the same read and would parse the rest of the next request as a new one.
 */
export function asksForUpgrade(rawHeaders: readonly string[]): boolean {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === UPGRADE.length && name.toLowerCase() === UPGRADE) return true;
  }
  return false;
}

/**
 * A second reader of HTTP/1.x, written from RFC 9112 and docs/spec/requests.md#strict-http alone and as strict as they
 * are: it says how many requests of a byte stream may be run at most. It shares no code with the gateway, which must
 * never run more.
 *
 * Known to be lenient where Node's parser is and where nothing can be smuggled by it: empty lines and bare CR or LF
 * before a request line, several blanks between its parts, `RTSP/1.x` for GET, POST and OPTIONS, and what a chunk
 * extension holds.
 */
export interface Reading {
  /** Requests that may run, before the first that must not. */
  readonly permitted: number;
  /**
   * `clean`: no bytes remain; `incomplete`: the rest may become a request; `refused`: the rest is malformed or
   * forbidden; `closed`: the last request ends the connection.
   */
  readonly end: 'clean' | 'incomplete' | 'refused' | 'closed';
}

const TOKEN = /^[!#$%&'*+.^`|~0-9A-Za-z-]+$/;
const REQUEST_LINE = /^([A-Z][A-Z-]*) +(\/[\x21\x22\x24-\x7e]*) +(HTTP|RTSP)\/1\.([01])$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Extensions are names with values or quoted texts; that either half of `a=b` may be empty is Node's leniency. */
const CHUNK_LINE =
  /^([0-9A-Fa-f]+)(?:;[!#$%&'*+.^_`|~0-9A-Za-z=-]+(?:"(?:[^"\\\0-\x08\x0a-\x1f\x7f]|\\[\t\x20-\x7e\x80-\xff])*"(?=;|$))?)*$/;
/** Methods of the IANA registry that Node's parser knows. */
const METHODS = new Set(
  (
    'GET HEAD POST PUT DELETE PATCH OPTIONS ACL BIND CHECKOUT COPY LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR ' +
    'MKCOL MOVE NOTIFY PROPFIND PROPPATCH PURGE QUERY REBIND REPORT SEARCH SUBSCRIBE UNBIND UNLINK UNLOCK UNSUBSCRIBE'
  ).split(' '),
);
const CHUNK_LINE_BYTES_MAX = 16_384;
const RTSP_METHODS = ['GET', 'POST', 'OPTIONS'];
const METHODS_OF_1_0 = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'];
const ONCE = ['host', 'content-type', 'content-length', 'transfer-encoding', 'expect', 'origin', 'authorization'];
const LINES_MAX = 64;
const HEAD_BYTES_MAX = 8192;
const TARGET_BYTES_MAX = 4096;
const SMALL_BODY_BYTES_MAX = 16;

type Step = { at: number; closes: boolean } | 'incomplete' | 'refused';
type Headers = Map<string, string[]>;

/** `key`: the one that can call the routes. */
export function readStrictly(bytes: Buffer, key: string): Reading {
  const text = bytes.toString('latin1');
  let at = 0;
  for (let permitted = 0; ; permitted++) {
    while (text[at] === '\r' || text[at] === '\n') at += 1;
    if (at === text.length) return { permitted, end: 'clean' };
    const step = readRequest(text, at, key);
    if (typeof step === 'string') return { permitted, end: step };
    if (step.closes) return { permitted: permitted + 1, end: 'closed' };
    ({ at } = step);
  }
}

function readRequest(text: string, start: number, key: string): Step {
  const end = text.indexOf('\r\n\r\n', start);
  const head = text.slice(start, end < 0 ? text.length : end);
  const [line = '', ...lines] = head.split('\r\n');
  // An unfinished head can become valid only while its beginning is valid: that is left to the gateway.
  if (end < 0) return 'incomplete';
  const parts = REQUEST_LINE.exec(line);
  const headers = readHeaders(lines);
  if (!parts || !headers) return 'refused';
  const [, method = '', target = '', protocol = '', minor = ''] = parts;
  if (!methodIsOffered(method, protocol, minor) || !targetIsGood(target) || !headersAreGood(headers, minor))
    return 'refused';
  const body = readBody(text, end + 4, headers);
  if (typeof body === 'string') return body;
  if (!mayRun(method, target, body.bytes, headers, key)) return 'refused';
  return { at: body.at, closes: closes(headers, minor) };
}

function readHeaders(lines: readonly string[]): Headers | null {
  const headers: Headers = new Map();
  let bytes = 0;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    const value = line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '');
    if (!TOKEN.test(name) || !VALUE.test(value)) return null;
    bytes += name.length + value.length + 4;
    const known = headers.get(name.toLowerCase());
    if (known) known.push(value);
    else headers.set(name.toLowerCase(), [value]);
  }
  return lines.length > LINES_MAX || bytes > HEAD_BYTES_MAX ? null : headers;
}

function methodIsOffered(method: string, protocol: string, minor: string): boolean {
  if (!METHODS.has(method)) return false;
  if (minor === '0' && !METHODS_OF_1_0.includes(method)) return false;
  return protocol === 'HTTP' || RTSP_METHODS.includes(method);
}

function targetIsGood(target: string): boolean {
  if (target.length > TARGET_BYTES_MAX) return false;
  return target.split(/[?&=]/).every(escapesAreGood);
}

/** Percent-encoded UTF-8 according to RFC 3629: no overlong form, no surrogate. */
function escapesAreGood(text: string): boolean {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return false;
  for (const [run] of text.matchAll(/(?:%[0-9A-Fa-f]{2})+/g)) {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    if (!Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes)) return false;
  }
  return true;
}

function headersAreGood(headers: Headers, minor: string): boolean {
  if (ONCE.some((name) => (headers.get(name)?.length ?? 0) > 1)) return false;
  const [host] = headers.get('host') ?? [];
  if (host === undefined ? minor === '1' : !hostIsGood(host)) return false;
  const [length] = headers.get('content-length') ?? [];
  const [coding] = headers.get('transfer-encoding') ?? [];
  if (coding !== undefined && (coding !== 'chunked' || length !== undefined || minor === '0')) return false;
  const [expects = '100-continue'] = headers.get('expect') ?? [];
  return expects.toLowerCase() === '100-continue' && (length === undefined || /^[0-9]+$/.test(length));
}

function hostIsGood(host: string): boolean {
  const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(:.*)?$/.exec(host) ?? [];
  if (port !== '' && (!/^:[0-9]{1,5}$/.test(port) || Number(port.slice(1)) > 65_535)) return false;
  if (name.startsWith('[')) return URL.canParse(`http://${name}/`);
  const labels = (name.endsWith('.') ? name.slice(0, -1) : name).split('.');
  return labels.every((label) => /^[0-9A-Za-z-]{1,64}$/.test(label) && !label.startsWith('-') && !label.endsWith('-'));
}

function readBody(
  text: string,
  at: number,
  headers: Headers,
): { at: number; bytes: number } | 'incomplete' | 'refused' {
  if (headers.has('transfer-encoding')) return readChunks(text, at);
  const bytes = Number(headers.get('content-length')?.[0] ?? '0');
  return at + bytes > text.length ? 'incomplete' : { at: at + bytes, bytes };
}

function readChunks(text: string, start: number): { at: number; bytes: number } | 'incomplete' | 'refused' {
  let bytes = 0;
  for (let at = start; ;) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) return 'incomplete';
    const size = CHUNK_LINE.exec(text.slice(at, end))?.[1];
    if (size === undefined || end - at > CHUNK_LINE_BYTES_MAX) return 'refused';
    const length = Number.parseInt(size, 16);
    at = end + 2 + length;
    if (at + 2 > text.length) return 'incomplete';
    // After the last chunk everything except the empty line is a trailer, and trailers are refused.
    if (text.slice(at, at + 2) !== '\r\n') return 'refused';
    at += 2;
    bytes += length;
    if (length === 0) return { at, bytes };
  }
}

/** The later steps, as far as the routes of `strict-rows/gateway.ts` allow: an upper limit of what may run. */
function mayRun(method: string, target: string, bodyBytes: number, headers: Headers, key: string): boolean {
  const path = target.split('?')[0] ?? '';
  const keys = headers.get('x-api-key') ?? [];
  if (keys.length !== 1 || keys[0] !== key) return false;
  if (path === '/read') return method === 'GET' || method === 'HEAD';
  if (path === '/small') return bodyBytes <= SMALL_BODY_BYTES_MAX;
  return path === '/count' || /^\/items\/[^/]+$/.test(path);
}

function closes(headers: Headers, minor: string): boolean {
  if (headers.has('upgrade')) return true;
  const tokens = (headers.get('connection') ?? []).flatMap((value) => value.toLowerCase().split(/[ \t]*,[ \t]*/));
  // According to RFC 9112 9.3 `close` takes precedence in HTTP/1.0 too; in Node `keep-alive` does, and the caller has
  // requested it.
  return minor === '1' ? tokens.includes('close') : !tokens.includes('keep-alive');
}

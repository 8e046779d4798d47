import type { ErrorCode } from '#common/errors/catalogue.ts';

/** One malformed or forbidden request (behaviour 2). `%KEY%` stands for a valid key. */
export interface StrictRow {
  readonly family: string;
  readonly name: string;
  readonly bytes: string;
  readonly code: ErrorCode;
  /** Other codes that are right when it comes in pieces. */
  readonly inPieces?: readonly ErrorCode[];
}

const HEAD = 'Host: 127.0.0.1\r\nX-API-Key: %KEY%\r\n';
const BODY = 'Content-Length: 2\r\n\r\n{}';
const long = (count: number, char = 'a') => char.repeat(count);

/** A whole request from its request line on, its Host and key in place. */
const request = (line: string, lines = '', rest = '\r\n') => `${line}\r\n${HEAD}${lines}${rest}`;
const post = (lines: string, rest = BODY) => request('POST /count HTTP/1.1', lines, rest);
const get = (target: string) => request(`GET ${target} HTTP/1.1`);
const withHost = (host: string) => `GET /count HTTP/1.1\r\n${host}X-API-Key: %KEY%\r\n\r\n`;
const chunked = (body: string) => post('Transfer-Encoding: chunked\r\n', `\r\n${body}`);

function family(name: string, rows: Record<string, string>, code: ErrorCode = 'bad_request'): StrictRow[] {
  return Object.entries(rows).map(([row, bytes]) => ({ family: name, name: row, bytes, code }));
}

function hosts(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withHost(`Host: ${value}\r\n`)]));
}

const VERSIONS = family('version', {
  'HTTP/0.9': request('GET /count HTTP/0.9'),
  'HTTP/1.2': request('GET /count HTTP/1.2'),
  'HTTP/1.9': request('GET /count HTTP/1.9'),
  'HTTP/2.0': request('GET /count HTTP/2.0'),
  'HTTP/3.0': request('GET /count HTTP/3.0'),
  'HTTP/1': request('GET /count HTTP/1'),
  'HTTP/1.': request('GET /count HTTP/1.'),
  'HTTP/1.10': request('GET /count HTTP/1.10'),
  'HTTP/11': request('GET /count HTTP/11'),
  'HTTP/1,1': request('GET /count HTTP/1,1'),
  'http/1.1 in small letters': request('GET /count http/1.1'),
  'HTTPS/1.1': request('GET /count HTTPS/1.1'),
  'no version (HTTP/0.9 style)': 'GET /count\r\n\r\n',
  'the HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'RTSP/1.0 with DESCRIBE': request('DESCRIBE /count RTSP/1.0'),
  'RTSP/1.0 with OPTIONS': request('OPTIONS /count RTSP/1.0'),
  'RTSP/1.0 with PLAY': request('PLAY /count RTSP/1.0'),
  'ICE/1.0 with SOURCE': request('SOURCE /count ICE/1.0'),
  'ICE/1.0 with GET': request('GET /count ICE/1.0'),
});

const HOSTS = family('Host', {
  'none in HTTP/1.1': withHost(''),
  'two different': withHost('Host: a\r\nHost: b\r\n'),
  'two equal': withHost('Host: a\r\nHost: a\r\n'),
  'two in HTTP/1.0': 'GET /count HTTP/1.0\r\nHost: a\r\nhost: a\r\nX-API-Key: %KEY%\r\n\r\n',
  ...hosts({
    empty: '',
    'with a blank inside': 'a b',
    'with a path': 'a/b',
    'with a scheme': 'http://a',
    'with user information': 'user@a',
    'a list': 'a, b',
    'with an empty port': 'a:',
    'with a port of letters': 'a:http',
    'with a port beyond 65,535': 'a:99999',
    'with two ports': 'a:80:81',
    'IPv6 without brackets': '::1',
    'IPv6 with one bracket': '[::1',
    'brackets around no address': '[zz]',
    'brackets around half an address': '[1:2]',
    'brackets around a name': '[a]',
    'something behind the bracket': '[::1]x',
    'with an IPv6 zone': '[fe80::1%eth0]',
    'an empty label': 'a..b',
    'a leading dot': '.a',
    'a leading hyphen': '-a',
    'a trailing hyphen': 'a-',
    'with an escape': 'a%41',
    'with a query': 'a?b',
    'with a fragment': 'a#b',
    'a star': '*',
    'a byte beyond ASCII': 'ex\xe4mple',
    'a quoted name': '"a"',
    'a backslash': 'a\\b',
  }),
});

const FRAMING = family('framing', {
  'Transfer-Encoding: gzip': post('Transfer-Encoding: gzip\r\n', '\r\n'),
  'Transfer-Encoding: gzip, chunked': post('Transfer-Encoding: gzip, chunked\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding: chunked, gzip': post('Transfer-Encoding: chunked, gzip\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding: chunked, chunked': post('Transfer-Encoding: chunked, chunked\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding: Chunked': post('Transfer-Encoding: Chunked\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding: CHUNKED': post('Transfer-Encoding: CHUNKED\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding: identity': post('Transfer-Encoding: identity\r\n'),
  'Transfer-Encoding: xchunked': post('Transfer-Encoding: xchunked\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding: chunkedx': post('Transfer-Encoding: chunkedx\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding: chunked;q=1': post('Transfer-Encoding: chunked;q=1\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding: "chunked"': post('Transfer-Encoding: "chunked"\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding: chunked,': post('Transfer-Encoding: chunked,\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding empty': post('Transfer-Encoding: \r\n'),
  'Transfer-Encoding with a vertical tab': post('Transfer-Encoding: \x0bchunked\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding on GET, gzip': request('GET /count HTTP/1.1', 'Transfer-Encoding: gzip\r\n'),
  'Transfer-Encoding twice': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '\r\n0\r\n\r\n'),
  'chunked, then identity': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '\r\n0\r\n\r\n'),
  'identity, then chunked': post('Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n', '\r\n0\r\n\r\n'),
  'Transfer-Encoding before Content-Length': post(
    'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
    '\r\n0\r\n\r\n',
  ),
  'Content-Length before Transfer-Encoding': post(
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    '\r\n0\r\n\r\n',
  ),
  'Transfer-Encoding beside Content-Length: 0': post(
    'Content-Length: 0\r\nTransfer-Encoding: chunked\r\n',
    '\r\n0\r\n\r\n',
  ),
  'Transfer-Encoding in HTTP/1.0': request('POST /count HTTP/1.0', 'Transfer-Encoding: chunked\r\n', '\r\n0\r\n\r\n'),
  'Content-Length: +2': post('Content-Length: +2\r\n', '\r\n{}'),
  'Content-Length: -2': post('Content-Length: -2\r\n', '\r\n{}'),
  'Content-Length: 2, 2': post('Content-Length: 2, 2\r\n', '\r\n{}'),
  'Content-Length: 2,3': post('Content-Length: 2,3\r\n', '\r\n{}'),
  'Content-Length: 2 2': post('Content-Length: 2 2\r\n', '\r\n{}'),
  'Content-Length: 0x2': post('Content-Length: 0x2\r\n', '\r\n{}'),
  'Content-Length: 2.0': post('Content-Length: 2.0\r\n', '\r\n{}'),
  'Content-Length: 2e0': post('Content-Length: 2e0\r\n', '\r\n{}'),
  'Content-Length: 2_0': post('Content-Length: 2_0\r\n', '\r\n{}'),
  'Content-Length: "2"': post('Content-Length: "2"\r\n', '\r\n{}'),
  'Content-Length: two': post('Content-Length: two\r\n', '\r\n{}'),
  'Content-Length empty': post('Content-Length: \r\n', '\r\n'),
  'Content-Length beyond 64 bits': post('Content-Length: 99999999999999999999999\r\n', '\r\n{}'),
});

const NAMES = family('header name', {
  'with an underscore': post('X_Trace: a\r\n'),
  'Content_Length with an underscore': post('Content_Length: 5\r\n'),
  'X_API_Key with an underscore': post('X_API_Key: a\r\n'),
  'blank before the colon': post('X-Trace : a\r\n'),
  'tab before the colon': post('X-Trace\t: a\r\n'),
  'blank before the colon of Transfer-Encoding': post('Transfer-Encoding : chunked\r\n', '\r\n0\r\n\r\n'),
  'blank before the colon of Content-Length': post('Content-Length : 2\r\n', '\r\n{}'),
  'a blank inside': post('X Trace: a\r\n'),
  'an empty name': post(': a\r\n'),
  'no colon': post('X-Trace\r\n'),
  'a parenthesis': post('X-(Trace): a\r\n'),
  'an at sign': post('X@Trace: a\r\n'),
  'a quotation mark': post('X"Trace: a\r\n'),
  'a slash': post('X/Trace: a\r\n'),
  'a byte beyond ASCII': post('X-Tr\xe4ce: a\r\n'),
  'a NUL': post('X-Tr\0ace: a\r\n'),
  'a leading blank on the first line': 'GET /count HTTP/1.1\r\n Host: a\r\n\r\n',
});

const VALUES = family('header value', {
  ...Object.fromEntries(
    [0x00, 0x01, 0x07, 0x08, 0x0b, 0x0c, 0x1b, 0x1f, 0x7f].map((byte) => [
      `control byte 0x${byte.toString(16).padStart(2, '0')}`,
      post(`X-Trace: a${String.fromCharCode(byte)}b\r\n`),
    ]),
  ),
  'a bare CR': post('X-Trace: a\rb\r\n'),
  'a bare LF that hides a header': post('X-Trace: a\nX-Other: b\r\n'),
  'a control byte in the key': 'GET /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%\x01\r\n\r\n',
});

const LINES = family('lines', {
  'folded by a blank': post('X-Trace: a\r\n b\r\n'),
  'folded by a tab': post('X-Trace: a\r\n\tb\r\n'),
  'folded Transfer-Encoding': post('Transfer-Encoding:\r\n chunked\r\n', '\r\n0\r\n\r\n'),
  'folded Content-Length': post('Content-Length:\r\n 2\r\n', '\r\n{}'),
  'LF alone everywhere': `GET /count HTTP/1.1\nHost: a\nX-API-Key: %KEY%\n\n`,
  'LF alone behind the request line': `GET /count HTTP/1.1\n${HEAD}\r\n`,
  'LF alone at the end of the head': `GET /count HTTP/1.1\r\n${HEAD}\n`,
  'CR alone behind the request line': `GET /count HTTP/1.1\r${HEAD}\r\n`,
  'CR CR LF': `GET /count HTTP/1.1\r\r\n${HEAD}\r\n`,
});

const repeated = (name: string, first: string, second: string, rest = BODY) =>
  post(`${name}: ${first}\r\n${name.toLowerCase()}: ${second}\r\n`, rest);

const REPEATS = [
  ...family('repeated header', {
    'Content-Type, equal': repeated('Content-Type', 'application/json', 'application/json'),
    'Content-Type, different': repeated('Content-Type', 'application/json', 'text/plain'),
    'Content-Length, equal': repeated('Content-Length', '2', '2', '\r\n{}'),
    'Content-Length, different': repeated('Content-Length', '2', '0', '\r\n{}'),
    Expect: repeated('Expect', '100-continue', '100-continue'),
    'Origin, equal': repeated('Origin', 'http://a', 'http://a'),
    'Origin, different': repeated('Origin', 'http://127.0.0.1', 'http://a'),
    'Authorization, equal': repeated('Authorization', 'Basic YQ==', 'Basic YQ=='),
    'Authorization, different': repeated('Authorization', 'Basic YQ==', 'Bearer a'),
  }),
  ...family(
    'repeated header',
    {
      'X-API-Key, equal': 'GET /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%\r\nx-api-key: %KEY%\r\n\r\n',
      'X-API-Key, second empty': 'GET /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%\r\nX-API-Key:\r\n\r\n',
      'X-API-Key, first unknown': 'GET /count HTTP/1.1\r\nHost: a\r\nX-API-Key: a\r\nX-API-Key: %KEY%\r\n\r\n',
      'X-API-Key as a joined list': 'GET /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%, %KEY%\r\n\r\n',
    },
    'key_invalid',
  ),
];

const METHODS = family('method and target form', {
  'Upgrade: websocket': request('GET /count HTTP/1.1', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
  'Upgrade: h2c': request('GET /count HTTP/1.1', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n'),
  'Upgrade without Connection': request('GET /count HTTP/1.1', 'Upgrade: websocket\r\n'),
  'Upgrade on POST with a body': post('Connection: upgrade\r\nUpgrade: foo\r\n'),
  'CONNECT host:port': request('CONNECT 127.0.0.1:80 HTTP/1.1'),
  'CONNECT with a path': request('CONNECT /count HTTP/1.1'),
  TRACE: request('TRACE /count HTTP/1.1'),
  'OPTIONS *': request('OPTIONS * HTTP/1.1'),
  'OPTIONS * as a preflight': request(
    'OPTIONS * HTTP/1.1',
    'Origin: http://a\r\nAccess-Control-Request-Method: GET\r\n',
  ),
  'GET *': get('*'),
  'an unknown method': request('BREW /count HTTP/1.1'),
  'a method in small letters': request('get /count HTTP/1.1'),
  'a blank before the method': request(' GET /count HTTP/1.1'),
  'a TLS hello': '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03\r\n\r\n',
  ...Object.fromEntries(
    ['OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'SEARCH', 'LOCK', 'REPORT', 'M-SEARCH', 'SUBSCRIBE', 'LINK', 'QUERY'].map(
      (method) => [`HTTP/1.0 with ${method}`, request(`${method} /count HTTP/1.0`)],
    ),
  ),
});

const TARGETS = family('target', {
  'absolute form': get('http://127.0.0.1/count'),
  'absolute form, https': get('https://127.0.0.1/count'),
  'authority form': get('127.0.0.1:80'),
  'without its slash': get('count'),
  'with a query only': get('?a=1'),
  'with a fragment': get('/count#a'),
  'with a fragment in the query': get('/count?a=1#b'),
  empty: request('GET  HTTP/1.1'),
  'with a blank': get('/count a'),
  'a lone percent sign': get('/items/%'),
  'half an escape': get('/items/%4'),
  'an escape that is not hex': get('/items/%zz'),
  'an escape that is not UTF-8': get('/items/%ff'),
  'an overlong UTF-8 escape': get('/items/%c0%80'),
  'an escaped surrogate': get('/items/%ed%a0%80'),
  'half an escape in the query': get('/count?a=%4'),
  'an escape that is not hex in the query': get('/count?a=%zz'),
  'an escape that is not UTF-8 in the query': get('/count?a=%ff'),
  'a bad escape in a query name': get('/count?%=1'),
  'a control byte': get('/count\x01'),
  'a DEL': get('/count\x7f'),
  'a byte beyond ASCII': get('/items/\xe4'),
  'a backslash for the slash': get('\\count'),
  'over 4,096 bytes': get(`/items/${long(4090)}`),
  'over 4,096 bytes by its query': get(`/count?a=${long(4088)}`),
  'far over 4,096 bytes': get(`/items/${long(12_000)}`),
  'over all that the parser reads': get(`/items/${long(20_000)}`),
});

const CHUNKS = family('chunks', {
  'a size that is not hex': chunked('g\r\nhello\r\n0\r\n\r\n'),
  'a negative size': chunked('-5\r\nhello\r\n0\r\n\r\n'),
  'a signed size': chunked('+5\r\nhello\r\n0\r\n\r\n'),
  'a size with 0x': chunked('0x5\r\nhello\r\n0\r\n\r\n'),
  'a blank before the size': chunked(' 5\r\nhello\r\n0\r\n\r\n'),
  'an empty size': chunked('\r\nhello\r\n0\r\n\r\n'),
  'a size beyond 64 bits': chunked('fffffffffffffffff\r\nhello\r\n0\r\n\r\n'),
  'a size ended by LF alone': chunked('5\nhello\r\n0\r\n\r\n'),
  'a size ended by CR alone': chunked('5\rhello\r\n0\r\n\r\n'),
  'data longer than its size': chunked('5\r\nhellohello\r\n0\r\n\r\n'),
  'data shorter than its size': chunked('6\r\nhello\r\n0\r\n\r\n'),
  'data ended by LF alone': chunked('5\r\nhello\n0\r\n\r\n'),
  'the last chunk ended by LF alone': chunked('5\r\nhello\r\n0\n\r\n'),
  'the end of the body by LF alone': chunked('5\r\nhello\r\n0\r\n\n'),
  'a bare LF in a chunk extension': chunked('5;a\nb\r\nhello\r\n0\r\n\r\n'),
  'a bare CR in a chunk extension': chunked('5;a\rb\r\nhello\r\n0\r\n\r\n'),
  'a NUL in a chunk extension': chunked('5;a\0b\r\nhello\r\n0\r\n\r\n'),
  'chunk extensions without end': chunked(`5;${long(20_000)}\r\nhello\r\n0\r\n\r\n`),
});

const TRAILERS = family('trailers', {
  'one trailer': chunked('5\r\nhello\r\n0\r\nX-Trace: a\r\n\r\n'),
  'a trailer on an empty body': chunked('0\r\nX-Trace: a\r\n\r\n'),
  'Content-Length as a trailer': chunked('5\r\nhello\r\n0\r\nContent-Length: 2\r\n\r\n'),
  'X-API-Key as a trailer': chunked('5\r\nhello\r\n0\r\nX-API-Key: %KEY%\r\n\r\n'),
  'a malformed trailer': chunked('5\r\nhello\r\n0\r\nX Trace: a\r\n\r\n'),
});

const LARGE = family(
  'large headers',
  {
    '65 lines': request('GET /count HTTP/1.1', Array.from({ length: 63 }, (_, at) => `X-${at}: a\r\n`).join('')),
    '200 lines': request('GET /count HTTP/1.1', Array.from({ length: 198 }, (_, at) => `X-${at}: a\r\n`).join('')),
    'one value over 8 KiB': request('GET /count HTTP/1.1', `X-Trace: ${long(8300)}\r\n`),
    'one name over 8 KiB': request('GET /count HTTP/1.1', `X-${long(8300)}: a\r\n`),
    'many lines over 8 KiB': request('GET /count HTTP/1.1', `X-Trace: ${long(400)}\r\n`.repeat(21)),
    'over all that the parser reads': request('GET /count HTTP/1.1', `X-Trace: ${long(30_000)}\r\n`),
    'over 16 KiB in many lines': request('GET /count HTTP/1.1', `X-Trace: ${long(400)}\r\n`.repeat(60)),
  },
  'headers_too_large',
);

const EXPECTATIONS = family('Expect', {
  'something else': post('Expect: 200-ok\r\n'),
  'a list': post('Expect: 100-continue, 100-continue\r\n'),
});

/** Over 16 KiB in pieces the parser gives up before one can tell a long target from long headers. */
function ambiguousInPieces(row: StrictRow): StrictRow {
  return row.bytes.length > 16_384 ? { ...row, inPieces: ['bad_request', 'headers_too_large'] } : row;
}

export const STRICT_ROWS: readonly StrictRow[] = [
  ...VERSIONS,
  ...HOSTS,
  ...FRAMING,
  ...NAMES,
  ...VALUES,
  ...LINES,
  ...REPEATS,
  ...METHODS,
  ...TARGETS,
  ...CHUNKS,
  ...TRAILERS,
  ...LARGE,
  ...EXPECTATIONS,
].map(ambiguousInPieces);

/** Requests at the edge of what is allowed: they are served. */
export const ALLOWED_ROWS: Readonly<Record<string, string>> = {
  'HTTP/1.0 without a Host': 'GET /count HTTP/1.0\r\nX-API-Key: %KEY%\r\n\r\n',
  // Node cannot tell it from HTTP/1.0; with every other RTSP method it is refused.
  'RTSP/1.0 with GET, read as HTTP/1.0': request('GET /count RTSP/1.0'),
  'HTTP/1.0 with POST': request('POST /count HTTP/1.0', '', BODY),
  'a Host with a port': withHost('Host: edge-7.plant.local:8090\r\n'),
  'a Host with IPv6 and a port': withHost('Host: [::1]:8090\r\n'),
  'a Host with IPv4': withHost('Host: 10.0.0.7\r\n'),
  'a Host with a final dot': withHost('Host: edge-7.\r\n'),
  'a tab in a value': request('GET /count HTTP/1.1', 'X-Trace: a\tb\r\n'),
  'a byte beyond ASCII in a value': request('GET /count HTTP/1.1', 'X-Trace: \xe4\r\n'),
  'an empty value': request('GET /count HTTP/1.1', 'X-Trace:\r\n'),
  'no blank behind the colon': request('GET /count HTTP/1.1', 'X-Trace:a\r\n'),
  '64 lines': request('GET /count HTTP/1.1', Array.from({ length: 62 }, (_, at) => `X-${at}: a\r\n`).join('')),
  'just under 8 KiB of headers': request('GET /count HTTP/1.1', `X-Trace: ${long(8000)}\r\n`),
  'a target of 4,096 bytes': get(`/items/${long(4089)}`),
  'an empty line before the request': `\r\n${request('GET /count HTTP/1.1')}`,
  'a repeated header that may be repeated': request('GET /count HTTP/1.1', 'X-Trace: a\r\nX-Trace: b\r\n'),
  'chunks with sizes in both cases': chunked('A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n'),
  'a chunk size with leading zeros': chunked('0005\r\nhello\r\n0\r\n\r\n'),
  'a chunk extension': chunked('5;a=b\r\nhello\r\n0\r\n\r\n'),
  'an empty chunked body': chunked('0\r\n\r\n'),
  'Content-Length with leading zeros': post('Content-Length: 0002\r\n', '\r\n{}'),
};

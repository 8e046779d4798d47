import { each, family, get, HIDDEN, post, request, sentLength } from './row.ts';

const withLength = (value: string) => post(`Content-Length: ${value}\r\n`, '\r\n{}');
const chunkedAnd = (lines: string, body = '0\r\n\r\n') => post(lines, `\r\n${body}`);

/**
 * A Content-Length that is not a single sequence of digits, or that is combined with Transfer-Encoding (CL.TE, TE.CL).
 */
export const LENGTH_ROWS = [
  ...family(
    'Content-Length',
    each(
      [
        '1e1',
        '\xef\xbc\x92',
        '2;',
        '2,',
        '2 ;a',
        '2\0',
        '\x002',
        '2\xa0',
        '\xa02',
        '\x0b2',
        '2\x0c',
        '0b10',
        '0o2',
        '2L',
        '1,2',
        '2, 2, 2',
        '2\r',
        '"2',
        "'2'",
        '\xd9\xa2',
        'Infinity',
        'NaN',
        '-0',
        '+0',
        '2-',
        '.2',
        '2.',
        '2/1',
        '1+1',
        '(2)',
        '2h',
        '0x02',
        '0X2',
        '\\2',
        '2 bytes',
        'chunked',
        '18446744073709551616',
        '18446744073709551618',
        '36893488147419103234',
        '9'.repeat(400),
        '%32',
        '2\t2',
        '--2',
        '+ 2',
        '- 2',
        'null',
      ],
      withLength,
    ),
  ),
  ...family('two lengths', {
    'equal, apart': chunkedAnd('Content-Length: 2\r\nX-Trace: a\r\nContent-Length: 2\r\n', '{}'),
    'zero, then two': chunkedAnd('Content-Length: 0\r\nContent-Length: 2\r\n', '{}'),
    'two, then zero': chunkedAnd('Content-Length: 2\r\nContent-Length: 0\r\n', '{}'),
    'equal but for leading zeros': chunkedAnd('Content-Length: 2\r\nContent-Length: 02\r\n', '{}'),
    three: chunkedAnd('Content-Length: 2\r\nContent-Length: 2\r\nContent-Length: 2\r\n', '{}'),
    'in two cases': chunkedAnd('content-length: 2\r\nCONTENT-LENGTH: 2\r\n', '{}'),
    'a second that is empty': chunkedAnd('Content-Length: 2\r\nContent-Length:\r\n', '{}'),
    'a first that is empty': chunkedAnd('Content-Length:\r\nContent-Length: 2\r\n', '{}'),
    'a second that hides a request': chunkedAnd(
      `Content-Length: 0\r\nContent-Length: ${sentLength(HIDDEN)}\r\n`,
      HIDDEN,
    ),
    'a second that is folded': chunkedAnd('Content-Length: 2\r\n Content-Length: 0\r\n', '{}'),
    'a second after a bare LF': chunkedAnd('Content-Length: 2\nContent-Length: 0\r\n', '{}'),
    'a second after a bare CR': chunkedAnd('Content-Length: 2\rContent-Length: 0\r\n', '{}'),
    'on GET, different': request('GET /count HTTP/1.1', 'Content-Length: 0\r\nContent-Length: 2\r\n', '\r\n{}'),
  }),
  ...family('length and coding', {
    'CL.TE with a request after the last chunk': chunkedAnd(
      `Content-Length: ${5 + sentLength(HIDDEN)}\r\nTransfer-Encoding: chunked\r\n`,
      `0\r\n\r\n${HIDDEN}`,
    ),
    'CL.TE with one byte after the last chunk': chunkedAnd(
      'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n',
      '0\r\n\r\nG',
    ),
    'TE.CL with a request in a chunk': chunkedAnd(
      'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
      `${sentLength(HIDDEN).toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
    ),
    'both right': chunkedAnd('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
    'both, in small letters': chunkedAnd('content-length: 5\r\ntransfer-encoding: chunked\r\n'),
    'both, on GET': request(
      'GET /count HTTP/1.1',
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
      '\r\n0\r\n\r\n',
    ),
    'both, on DELETE': request(
      'DELETE /count HTTP/1.1',
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
      '\r\n0\r\n\r\n',
    ),
    'both, on PUT': request(
      'PUT /count HTTP/1.1',
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
      '\r\n0\r\n\r\n',
    ),
    'both, other lines between': chunkedAnd(
      'Content-Length: 5\r\nX-Trace: a\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\n',
    ),
    'both, the length said to be for the next hop': chunkedAnd(
      'Connection: Content-Length\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    ),
    'both, the coding said to be for the next hop': chunkedAnd(
      'Connection: Transfer-Encoding\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    ),
    'both, Connection: close': chunkedAnd('Connection: close\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
    'both, Expect: 100-continue': chunkedAnd(
      'Expect: 100-continue\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    ),
    'a length, and a coding that is unknown': chunkedAnd('Content-Length: 2\r\nTransfer-Encoding: x\r\n', '{}'),
    'a length, and an empty coding': chunkedAnd('Content-Length: 2\r\nTransfer-Encoding:\r\n', '{}'),
    'a length, and identity': chunkedAnd('Content-Length: 2\r\nTransfer-Encoding: identity\r\n', '{}'),
    'a length, and the coding in capitals': chunkedAnd('Content-Length: 5\r\nTransfer-Encoding: CHUNKED\r\n'),
    'a bad length, and the coding': chunkedAnd('Content-Length: +5\r\nTransfer-Encoding: chunked\r\n'),
    'two lengths and two codings': chunkedAnd(
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    ),
    'in HTTP/1.0': request(
      'POST /count HTTP/1.0',
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
      '\r\n0\r\n\r\n',
    ),
    'the coding in HTTP/1.0, kept alive': request(
      'POST /count HTTP/1.0',
      'Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n',
      '\r\n0\r\n\r\n',
    ),
    'the coding on GET in HTTP/1.0': request('GET /count HTTP/1.0', 'Transfer-Encoding: chunked\r\n', '\r\n0\r\n\r\n'),
    'the coding twice, the second obscured by case': chunkedAnd(
      'Transfer-Encoding: chunked\r\ntransfer-ENCODING: x\r\n',
    ),
    'the coding, then cow': chunkedAnd('Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n'),
    'the coding thrice': chunkedAnd('Transfer-Encoding: chunked\r\n'.repeat(3)),
    'the coding on two lines of a list': chunkedAnd('Transfer-Encoding: gzip,\r\nTransfer-Encoding: chunked\r\n'),
  }),
  ...family(
    'a length beyond what comes',
    {
      'by one byte, ended by the caller': get('/count').replace('\r\n\r\n', '\r\nContent-Length: 10000\r\n\r\n'),
      '2^32 + 2': withLength('4294967298'),
      '2^53 + 1': withLength('900719925474099'),
      'on GET': request('GET /count HTTP/1.1', 'Content-Length: 4000\r\n', '\r\n{}'),
    },
    'bad_request',
    { fin: true },
  ),
];

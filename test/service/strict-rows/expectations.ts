import { each, family, HIDDEN, post, request, sentLength } from './row.ts';

/** Expect: anything except a single 100-continue. */
export const EXPECT_ROWS = family('Expect', {
  'something else': post('Expect: 200-ok\r\n'),
  'a list': post('Expect: 100-continue, 100-continue\r\n'),
  ...each(
    [
      '',
      '100',
      'continue',
      'x100-continue',
      '100-continuex',
      '100-continue,',
      ',100-continue',
      '100-continue;a=b',
      '"100-continue"',
      '100 continue',
      '100_continue',
      '100-continue x',
      'x 100-continue',
      '101-switch',
      '100-continue\0',
      '\x0b100-continue',
      '100-contin\xfce',
      '0100-continue',
    ],
    (value) => post(`Expect: ${value}\r\n`),
  ),
  'something else, with a body that is a request': post(
    `Expect: x\r\nContent-Length: ${sentLength(HIDDEN)}\r\n`,
    `\r\n${HIDDEN}`,
  ),
  '100-continue with a length in doubt': post('Expect: 100-continue\r\nContent-Length: +2\r\n', '\r\n{}'),
  '100-continue with two lengths': post('Expect: 100-continue\r\nContent-Length: 2\r\nContent-Length: 2\r\n', '\r\n{}'),
  'something else in HTTP/1.0': request('POST /count HTTP/1.0', 'Expect: x\r\n', 'Content-Length: 2\r\n\r\n{}'),
});

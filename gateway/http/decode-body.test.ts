import { expect, test } from 'vitest';
import { decodeBody, decodeInPieces } from './decode-body.ts';

test('a refused charset is one cause, whatever its name, so that repeated refusals are counted together', () => {
  const causes = ['x1', 'x2', 'utf-16'].map((name) => decodeBody(Buffer.from('a'), `text/plain; charset=${name}`));
  expect(new Set(causes.map((found) => JSON.stringify(found))).size).toBe(1);
  expect(causes[0]).toMatchObject({ ok: false, code: 'unsupported_media_type' });
});

const asForm = (text: string) => decodeBody(Buffer.from(text), 'application/x-www-form-urlencoded');

test.each(['{"a":1}', ' \r\n\t{"a":"b=c&d=5%"}', '[1]', '[]', '{}'])('JSON sent as a form is refused: %j', (text) => {
  expect(asForm(text)).toEqual({
    ok: false,
    code: 'body_invalid',
    cause: 'the body is JSON, but was sent as a form; send the header Content-Type: application/json',
  });
});

test.each([
  ['{', { '{': '' }],
  ['{a}', { '{a}': '' }],
  ['[0]=1', { '[0]': '1' }],
  ['[]=1&[]=2', { '[]': ['1', '2'] }],
  ['1', { '1': '' }],
  ['null', { null: '' }],
  ['"a"', { '"a"': '' }],
  // As sent by a form encoder: the name of the field is JSON.
  [String(new URLSearchParams({ '{"a":1}': '' })), { '{"a":1}': '' }],
  ['%5B1%5D', { '[1]': '' }],
])('a form that looks like JSON is read as a form: %s', (text, body) => {
  const decoded = asForm(text);
  expect(decoded.ok && { ...(decoded.body as object) }).toEqual(body);
});

test.each(['', '{', '[0]'])(
  'a form of many pairs counts with its size as a form, even if it begins with %j',
  (start) => {
    const pairs = 10_000;
    const text = start + '&a'.repeat(pairs);
    let asked = 0;
    const decoded = decodeBody(Buffer.from(text), 'application/x-www-form-urlencoded', (bytes) => {
      asked += bytes;
      return true;
    });
    expect(decoded.ok).toBe(true);
    expect(asked).toBeGreaterThan(100 * pairs);
  },
);

function inPieces(bytes: Buffer, contentType: string) {
  const pieces = decodeInPieces(bytes, contentType, () => true);
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

const rows = `"a ö 😀": [1, 2],\n`.repeat(3_000);
test.each([
  ['application/json', `{${rows}"z": 1}`],
  ['application/json', `\ufeff{${rows}"z": 1}`],
  ['application/json', `{${rows}"z": 1`],
  ['application/json', `{${rows}"z": 1}}`],
  ['application/json', `{${rows}z: 1}`],
  ['application/json', `{${rows}"z": [1 2]}`],
  ['application/json', `{${rows}"z": "a`],
  ['application/json', `{${rows}"z": "a\n"}`],
  ['application/json', `{${rows}"__proto__": 1}`],
  ['application/json', `{${rows}}`],
  ['application/json', '['.repeat(1_001).padEnd(40_000)],
  ['application/json', ''.padEnd(40_000)],
  ['application/json', `"${'x'.repeat(40_000)}"`],
  ['application/json; charset=latin1', `{${rows}"z": 1}`],
  ['text/plain', rows],
  ['application/octet-stream', rows],
  ['application/x-www-form-urlencoded', 'a=b+c&d=%C3%A4&'.repeat(3_000)],
  ['application/x-www-form-urlencoded', `${'a=b&'.repeat(9_000)}c=%C3`],
  ['application/x-www-form-urlencoded', `${'a=b&'.repeat(9_000)}__proto__=1`],
  ['application/x-www-form-urlencoded', `{${rows}"z": 1}`],
  ...Array.from({ length: 13 }, (_, shift): [string, string] => [
    'application/x-www-form-urlencoded',
    `a=1&b=${'x'.repeat(shift)}${'%C3%A4+%F0%9F%98%80%E2%82%AC'.repeat(9_000)}&c=2`,
  ]),
  ['application/x-www-form-urlencoded', `${'%C3%A4+'.repeat(20_000)}=a`],
  ['application/x-www-form-urlencoded', `a=${'%A4'.repeat(60_000)}`],
  ['application/x-www-form-urlencoded', `a=${'x'.repeat(200_000)}%C3`],
])('a long body in chunks decodes to the same value as in one piece: %s', (contentType, text) => {
  const bytes = Buffer.from(text);
  expect(inPieces(bytes, contentType)).toEqual(decodeBody(bytes, contentType));
});

test('one huge value of a form is decoded in chunks', () => {
  const pieces = decodeInPieces(
    Buffer.from(`a=${'%C3%A4'.repeat(1_000_000)}`),
    'application/x-www-form-urlencoded',
    () => true,
  );
  let steps = 1;
  while (pieces.next().done !== true) steps += 1;
  expect(steps).toBeGreaterThan(50);
});

test('a body in chunks that is not UTF-8 is refused too', () => {
  const bytes = Buffer.alloc(40_000, 0xff);
  expect(inPieces(bytes, 'application/json')).toEqual(decodeBody(bytes, 'application/json'));
});

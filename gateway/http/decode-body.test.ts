import { expect, test } from 'vitest';
import { decodeBody } from './decode-body.ts';

test('a refused charset is one cause, whatever its name: repeated refusals are counted by it', () => {
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
  // An encoder's: the name of the field is JSON.
  [String(new URLSearchParams({ '{"a":1}': '' })), { '{"a":1}': '' }],
  ['%5B1%5D', { '[1]': '' }],
])('a form that looks like JSON is read as a form: %s', (text, body) => {
  const decoded = asForm(text);
  expect(decoded.ok && { ...(decoded.body as object) }).toEqual(body);
});

test.each(['', '{', '[0]'])('a form of many pairs is weighed as a form, also when it begins with %j', (start) => {
  const pairs = 10_000;
  const text = start + '&a'.repeat(pairs);
  let asked = 0;
  const decoded = decodeBody(Buffer.from(text), 'application/x-www-form-urlencoded', (bytes) => {
    asked += bytes;
    return true;
  });
  expect(decoded.ok).toBe(true);
  expect(asked).toBeGreaterThan(100 * pairs);
});

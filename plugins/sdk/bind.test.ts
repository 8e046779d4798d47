import { expect, test } from 'vitest';
import { bindField, bindParams } from './bind.ts';
import { messageOf } from './testing.ts';

const PAYLOAD = { n: 7, none: null, no: false, list: [1], text: 'a', bytes: new Uint8Array([1]), deep: { x: 'y' } };

test.each([
  ['a number', '{{payload.n}}', 7],
  ['a number with spaces inside the braces', '{{ payload.n }}', 7],
  ['false', '{{payload.no}}', false],
  ['null', '{{payload.none}}', null],
  ['nothing as null', '{{payload.missing.deep}}', null],
  ['a list', '{{payload.list}}', [1]],
  ['bytes', '{{payload.bytes}}', new Uint8Array([1])],
  ['a property of a prototype as null', '{{payload.constructor}}', null],
  ['a string with a placeholder in it', 'n={{payload.n}}', 'n=7'],
  ['a placeholder with a space around it as a string', ' {{payload.n}}', ' 7'],
  ['two placeholders as a string', '{{payload.n}}{{payload.none}}', '7'],
  ['a fixed string', "it's", "it's"],
  ['an empty string', '', ''],
])('a template binds %s', (_what, template, expected) => {
  expect(bindParams(bindField.parse({ v: template }), messageOf(PAYLOAD))).toEqual({ v: expected });
});

test.each([
  [{ 'a-b': 'x' }, /orderId/],
  [{ a: 7 }, /expected a string/],
  ['x', /object of parameters/],
  [Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`p${n}`, ''])), /at most 100/],
])('%j is refused', (value, says) => {
  expect(bindField.safeParse(value).error?.message).toMatch(says);
});

import { expect, test } from 'vitest';
import { makeKey } from '#test/make-key.ts';
import { ALLOWED_ROWS } from '../service/strict-rows/allowed.ts';
import { get } from '../service/strict-rows/row.ts';
import { STRICT_ROWS } from '../service/strict-rows/table.ts';
import { UPGRADE_ROWS } from '../service/strict-rows/upgrades.ts';
import { readStrictly } from './reference.ts';

/** First, the reference of the fuzzer is compared with the table: it must know every row. */
const { value } = makeKey();
const withKey = (text: string) => Buffer.from(text.replaceAll('%KEY%', value), 'latin1');
/** Errors that depend on the body's content or on the gateway's own settings. */
const LATER = new Set(['body_invalid', 'unsupported_media_type', 'origin_not_allowed']);

test.each(STRICT_ROWS.filter(({ code }) => !LATER.has(code)))('$family: $name permits nothing', ({ bytes }) => {
  expect(readStrictly(withKey(bytes), value).permitted).toBe(0);
  expect(readStrictly(withKey(get('/count') + bytes), value).permitted).toBe(1);
});

test.each(Object.entries(ALLOWED_ROWS))('%s permits one request', (_name, bytes) => {
  expect(readStrictly(withKey(bytes), value)).toMatchObject({ permitted: 1 });
});

test.each(Object.entries(UPGRADE_ROWS))('%s permits one request and none after it', (_name, bytes) => {
  expect(readStrictly(withKey(bytes + get('/count')), value)).toEqual({ permitted: 1, end: 'closed' });
});

test('another key permits nothing', () => {
  expect(readStrictly(withKey(get('/count')), makeKey().value)).toEqual({ permitted: 0, end: 'refused' });
});

import { randomBytes } from 'node:crypto';
import type { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { makeApiKey } from '#common/api-key.ts';
import type { KeySighting } from '#common/control/messages.ts';
import { createKeyHasher } from '#common/node/key-hash.ts';
import { KeyRing } from './keys.ts';
import { KeyWatch, SEARCHED_BYTES, USUAL_CALLS } from './key-watch.ts';

const PEPPER = randomBytes(32);
const CARD = {
  address: '10.0.0.1',
  netmask: '255.0.0.0',
  family: 'IPv4',
  mac: '',
  internal: false,
  cidr: '10.0.0.1/8',
};

function world(honey = false) {
  const { id, value } = makeApiKey(randomBytes);
  const keys = new KeyRing(PEPPER);
  const hash = createKeyHasher(PEPPER)(value).toString('hex');
  keys.put({ id, hash, project: 'line', name: 'MES', scopes: [], limits: {}, paused: null, honey, revoked: false });
  const seen: KeySighting[] = [];
  const cards = (() => ({ eth0: [CARD] })) as unknown as typeof networkInterfaces;
  const watch = new KeyWatch((sighting) => seen.push(sighting), cards);
  const verdict = keys.verify(value);
  return { id, value, keys, seen, watch, key: verdict.ok ? verdict.key : (verdict.honey ?? null) };
}

const from = (ip: string, path = '/state') => ({ ip, method: 'GET', path });

function keyOf<K>(key: K | null): K {
  if (key === null) throw new Error('the key is known');
  return key;
}

test('a valid key in a text is reported once for each kind, with its place and without its value', () => {
  const { id, value, keys, seen, watch } = world();
  for (let n = 0; n < 3; n++) watch.inText(keys, `?key=${value}&x=1`, 'query', from('10.0.0.7', `/state/${value}`));
  watch.inText(keys, value, 'body', from('10.0.0.7'));
  expect(seen).toMatchObject([
    { keyId: id, how: 'query', ip: '10.0.0.7', method: 'GET', path: `/state/slc_${id}_…` },
    { keyId: id, how: 'body' },
  ]);
  expect(JSON.stringify(seen)).not.toContain(value);
});

test.each(['', 'slc_', `slc_${'x'.repeat(80)}`, makeApiKey(randomBytes).value])(
  'a text without a valid key (%s) is not reported',
  (text) => {
    const { keys, seen, watch } = world();
    watch.inText(keys, text, 'query', from('10.0.0.7'));
    expect(seen).toEqual([]);
  },
);

test('a revoked key and a honey key in a text are not reported', () => {
  const { id, value, keys, seen, watch } = world();
  keys.revoke(id);
  watch.inText(keys, value, 'query', from('10.0.0.7'));
  const honey = world(true);
  honey.watch.inText(honey.keys, honey.value, 'query', from('10.0.0.7'));
  expect([...seen, ...honey.seen]).toEqual([]);
});

test('a text with many false keys costs few comparisons', () => {
  const { keys, value, seen, watch } = world();
  watch.inText(keys, `${'slc_x'.repeat(4)}${value}`, 'query', from('10.0.0.7'));
  expect(seen).toEqual([]);
});

test.each([
  ['as a password', (value: string) => `Basic ${Buffer.from(`mes:${value}`).toString('base64')}`],
  ['as a bearer token', (value: string) => `Bearer ${value}`],
])('a key in Authorization %s is reported', (_what, header) => {
  const { id, value, keys, seen, watch } = world();
  watch.inAuthorization(keys, header(value), from('10.0.0.7'));
  expect(seen).toMatchObject([{ keyId: id, how: 'authorization' }]);
});

test('a key at the start of a body is reported, and one behind the searched part is not', () => {
  const { value, keys, seen, watch } = world();
  watch.inBody(keys, Buffer.from(`${'x'.repeat(SEARCHED_BYTES)}${value}`), from('10.0.0.7'));
  expect(seen).toEqual([]);
  watch.inBody(keys, Buffer.from(`{"key":"${value}"}`), from('10.0.0.7'));
  expect(seen).toMatchObject([{ how: 'body' }]);
});

test.each([
  ['10.0.0.7', true, []],
  ['192.0.2.7', false, []],
  ['192.0.2.7', true, ['plain_http']],
])('a key that is used from %s, plain: %s', (ip, isPlain, kinds) => {
  const { key, seen, watch } = world();
  watch.used(keyOf(key), isPlain, from(ip));
  watch.used(keyOf(key), isPlain, from(ip));
  expect(seen.map(({ how }) => how)).toEqual(kinds);
});

test('a second address is reported if the key was usually used from one', () => {
  const { key, seen, watch } = world();
  for (let n = 0; n < USUAL_CALLS; n++) watch.used(keyOf(key), false, from('10.0.0.7'));
  watch.used(keyOf(key), false, from('10.0.0.8'));
  watch.used(keyOf(key), false, from('10.0.0.9'));
  expect(seen).toMatchObject([{ how: 'second_host', ip: '10.0.0.8' }]);
});

test('a key that several hosts have used from the beginning is not reported', () => {
  const { key, seen, watch } = world();
  watch.used(keyOf(key), false, from('10.0.0.7'));
  watch.used(keyOf(key), false, from('10.0.0.8'));
  for (let n = 0; n < USUAL_CALLS; n++) watch.used(keyOf(key), false, from('10.0.0.7'));
  watch.used(keyOf(key), false, from('10.0.0.9'));
  expect(seen).toEqual([]);
});

test('a honey key is unknown to its caller, and its use is reported once a minute, after the refusal', async () => {
  const { id, value, keys, key, seen, watch } = world(true);
  expect(keys.verify(value)).toMatchObject({ ok: false, cause: 'key_unknown', key: null });
  watch.honey(keyOf(key), from('192.0.2.7'));
  watch.honey(keyOf(key), from('192.0.2.7'));
  expect(seen).toEqual([]);
  await new Promise((done) => setImmediate(done));
  expect(seen).toMatchObject([{ keyId: id, how: 'honey', ip: '192.0.2.7' }]);
});

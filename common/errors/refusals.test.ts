import { expect, test } from 'vitest';
import type { Refusal } from '../model/audit.ts';
import { CATALOGUE } from './catalogue.ts';
import { explanationOf, remediesOf, remedySentences, valuesOf } from './explanation.ts';
import { GATEWAY_CODES } from './gateway-codes.ts';
import { refusal } from './refusal.testing.ts';
import { EXPLANATIONS, type Explanation } from './refusals.ts';
import { REMEDIES } from './remedies.ts';
import { REQUEST_FAULTS, requestFaultOf } from './request-faults.ts';
import { errors as de } from '../languages/de/errors.ts';
import { errors as en } from '../languages/en/errors.ts';

test.each(Object.keys(GATEWAY_CODES))('%s has an explanation with a remedy', (code) => {
  const explanation = explanationOf({ code, compared: {} });
  expect(explanation).not.toBeNull();
  if (explanation !== null) expect(remediesOf(explanation)).not.toEqual([]);
});

const explanations = Object.entries(EXPLANATIONS) as [Explanation, (typeof EXPLANATIONS)[Explanation]][];

test.each(explanations)('%s: its remedies only use values that its rows contain', (_, { compared, remedies }) => {
  const held = [...compared, 'ip', 'method', 'path', 'who', 'call'] as string[];
  for (const name of remedies) {
    const remedy: { place: unknown; values?: readonly string[] } = REMEDIES[name];
    expect(held, name).toEqual(expect.arrayContaining([...(remedy.values ?? [])]));
  }
});

test('a remedy has a button exactly if it is carried out in the admin UI', () => {
  for (const { remedies } of [en, de])
    for (const [name, { act }] of Object.entries(remedies))
      expect(act === '', name).toBe(REMEDIES[name as keyof typeof REMEDIES].place === null);
});

test('a fault of a request is recognized by its stored text, and worded in German', () => {
  for (const [name, words] of Object.entries(REQUEST_FAULTS)) expect(requestFaultOf(words)).toBe(name);
  expect(requestFaultOf('HPE_INVALID_METHOD')).toBeNull();
  expect(requestFaultOf('toString')).toBeNull();
});

test('titles are plain sentences in both languages, and every code has one', () => {
  for (const code of Object.keys(CATALOGUE) as (keyof typeof CATALOGUE)[])
    for (const { codes } of [en, de]) expect(codes[code], code).toMatch(/^[A-ZÄÖÜ].*[^.]$/);
});

test('a cause explains more than its code does, and quotes less than the parser does', () => {
  expect(explanationOf(refusal({ code: 'not_found', cause: 'slash_differs' }))).toBe('slash_differs');
  expect(explanationOf(refusal({ code: 'bad_request', cause: 'HPE_INVALID_METHOD' }))).toBe('bad_request');
  expect(explanationOf(refusal({ code: 'overloaded', cause: 'connections_per_address' }))).toBe(
    'connections_per_address',
  );
  expect(explanationOf(refusal({ code: 'origin_not_allowed', compared: { allowedOrigins: 'CORS is off' } }))).toBe(
    'cors_off',
  );
  const heap = { code: 'overloaded', cause: 'heap_full' } as const;
  expect(explanationOf(refusal(heap))).toBe('heap_full');
  expect(explanationOf(refusal({ ...heap, compared: { holder: 'MES', holderProject: 'line-7' } }))).toBe('heap_held');
  expect(explanationOf(refusal({ code: 'of_a_later_version', cause: 'constructor' }))).toBeNull();
});

test('a run that lacks a scope: the remedy depends on whose rights it had', () => {
  const of = (compared: Refusal['compared']) =>
    explanationOf(refusal({ step: 10, compared: { node: 'n', ...compared } }));
  expect(of({ missing: 'db:read', held: '', rights: 'key' })).toBe('run_scope');
  expect(of({ missing: 'db:read', held: 'tag:read', rights: 'grants' })).toBe('run_grants');
  expect(of({ missing: 'db:read', held: 'db:read, tag:read', rights: 'key' })).toBe('run_script');
  expect(of({ missing: 'db:read', held: 'db:read', revoked: true })).toBe('run_revoked');
});

const remedyFor = (fields: Partial<Refusal>): string => {
  const explanation = explanationOf(refusal(fields));
  if (explanation === null) return '';
  const texts = remediesOf(explanation).map((name) => en.remedies[name]);
  return remedySentences(texts, 'Or:', valuesOf(refusal(fields), en.words, 'en'));
};

test('a remedy names what was compared, without code formatting', () => {
  expect(remedyFor({ compared: { missing: 'db:read, db:write', held: '' } })).toContain(
    'a key with db:read and db:write.',
  );
  expect(remedyFor({ code: 'ip_not_allowed', compared: { ip: '10.0.0.9' } })).toContain(
    'Add 10.0.0.9 to the Allowed IPs',
  );
  expect(remedyFor({ compared: { missing: '$& $1', held: '' } })).toContain('a key with $& $1.');
});

test.each([
  [{ rights: 'key', held: 'db:read', revoked: false }, 'a key with tag:read'],
  [{ rights: 'grants', held: '', revoked: false }, 'Add tag:read to the grants of the pipeline'],
  [{ rights: 'key', held: 'tag:read, db:read', revoked: false }, 'to the setting Scopes of the node read'],
  [{ rights: 'key', held: 'tag:read', revoked: true }, 'Create a new key'],
])('a call that lacks its scope in a run with %j has a remedy for that case', (rights, remedy) => {
  expect(remedyFor({ compared: { node: 'read', missing: 'tag:read', ...rights } })).toContain(remedy);
});

import { expect, test } from 'vitest';
import type { Refusal } from '#common/model/audit.ts';
import { saidOf, wayOf } from './refusal-words.ts';

const refusal = (fields: Partial<Refusal>): Refusal => ({
  requestId: 'r1',
  step: 5,
  code: 'scope_missing',
  compared: {},
  mend: '',
  ...fields,
});

test('a cause says more than its code, and words of the parser less', () => {
  expect(saidOf(refusal({ code: 'not_found', cause: 'slash_differs' }))).toBe('slash_differs');
  expect(saidOf(refusal({ code: 'bad_request', cause: 'HPE_INVALID_METHOD' }))).toBe('bad_request');
  expect(saidOf(refusal({ code: 'overloaded', cause: 'connections_per_address' }))).toBe('connections');
  expect(saidOf(refusal({ code: 'origin_not_allowed', compared: { allowedOrigins: 'CORS is off' } }))).toBe('cors_off');
  expect(saidOf(refusal({ code: 'of_a_later_version', cause: 'constructor' }))).toBeNull();
});

test('a run without its scope: whose rights it had decides', () => {
  const of = (compared: Refusal['compared']) => saidOf(refusal({ step: 10, compared: { node: 'n', ...compared } }));
  expect(of({ missing: 'db:read', held: '', rights: 'key' })).toBe('run_scope');
  expect(of({ missing: 'db:read', held: 'tag:read', rights: 'grants' })).toBe('run_grants');
  expect(of({ missing: 'db:read', held: 'db:read, tag:read', rights: 'key' })).toBe('run_script');
  expect(of({ missing: 'db:read', held: 'db:read', revoked: true })).toBe('run_revoked');
});

test('the way ends where it was refused; a slowed guesser did not pass the key either', () => {
  expect(wayOf(refusal({ step: 1 }))).toEqual(['passed', 'refused', ...Array.from({ length: 10 }, () => 'skipped')]);
  const slowed = refusal({ step: 6, code: 'rate_limited', cause: 'too_many_failed_keys' });
  expect(wayOf(slowed).slice(3, 8)).toEqual(['passed', 'refused', 'skipped', 'refused', 'skipped']);
  expect(wayOf({ ...slowed, keyId: 'K' }).slice(3, 8)).toEqual(['passed', 'passed', 'refused', 'refused', 'skipped']);
});

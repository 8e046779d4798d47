import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeApiKey } from '#common/api-key.ts';
import { createKeyHasher } from '#common/node/key-hash.ts';
import { scopeMask } from '#common/scopes.ts';
import { KeyRing } from '../gates/keys.ts';
import { CallerPrincipal, grantsPrincipal, narrowed, onBehalf } from './principal.ts';

const pepper = randomBytes(32);
const { id, value } = makeApiKey(randomBytes);

/** The rights of a run that began at the address, with its own scopes, narrowed, and on behalf of the pipeline. */
function runFrom(address: string) {
  const keys = new KeyRing(pepper);
  const hash = createKeyHasher(pepper)(value).toString('hex');
  keys.put({
    id,
    hash,
    project: 'line-7',
    name: 'MES',
    scopes: ['tag:write'],
    limits: {},
    paused: null,
    honey: false,
    revoked: false,
  });
  const verdict = keys.verify(value);
  if (!verdict.ok) throw new Error('the key is valid');
  const caller = new CallerPrincipal(verdict.key, address);
  const scopes = scopeMask(['tag:write']);
  return { keys, principals: [caller, narrowed(caller, scopes), onBehalf(caller, grantsPrincipal(scopes))] };
}

test.each([
  ['addresses that do not contain that of the caller', ['10.1.0.0/16'], true],
  ['no address', [], true],
  ['addresses that contain that of the caller', ['10.0.0.0/16'], false],
])('a run under way loses its rights when its key is limited to %s', (_, addresses, revoked) => {
  const { keys, principals } = runFrom('10.0.0.7');
  expect(principals.map((principal) => principal.revoked)).toEqual([false, false, false]);
  keys.limit(id, { addresses });
  expect(principals.map((principal) => principal.revoked)).toEqual([revoked, revoked, revoked]);
});

test('a run under way loses its rights when its key is revoked', () => {
  const { keys, principals } = runFrom('10.0.0.7');
  keys.revoke(id);
  expect(principals.map((principal) => principal.revoked)).toEqual([true, true, true]);
});

test('a run under way loses its rights while its key is paused, and when its key ends', () => {
  const { keys, principals } = runFrom('10.0.0.7');
  const revoked = () => principals.map((principal) => principal.revoked);
  keys.pause(id, 'service');
  expect(revoked()).toEqual([true, true, true]);
  keys.pause(id, null);
  expect(revoked()).toEqual([false, false, false]);
  keys.limit(id, { until: new Date(Date.now() - 1).toISOString() });
  expect(revoked()).toEqual([true, true, true]);
});

test('a run under way becomes a rehearsal with its key, and a run that began as one remains one', () => {
  const { keys, principals } = runFrom('10.0.0.7');
  const rehearses = () => principals.map(({ rehearsal }) => rehearsal);
  expect(rehearses()).toEqual([false, false, false]);
  keys.limit(id, { rehearsal: true });
  expect(rehearses()).toEqual([true, true, true]);
  const verdict = keys.verify(value);
  const later = verdict.ok ? new CallerPrincipal(verdict.key, '10.0.0.7') : null;
  keys.limit(id, {});
  expect([...rehearses(), later?.rehearsal]).toEqual([false, false, false, true]);
});

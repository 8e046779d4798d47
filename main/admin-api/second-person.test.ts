import { beforeEach, expect, test } from 'vitest';
import type { KeyRecord } from '#common/model/records.ts';
import type { Client } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest({ project: { id: 'line-7', name: 'Line 7' } });
const KEYS = '/projects/line-7/keys';
let other: Client;
beforeEach(async () => {
  expect((await admin.send('PATCH', '/settings', { secondPerson: 'on' })).status).toBe(200);
  other = await harness.personWith(admin, 'manage_keys', 'view');
});

async function make(scopes: string[], name = 'MES'): Promise<KeyRecord> {
  const { status, body } = await admin.send('POST', KEYS, { name, scopes });
  expect(status).toBe(201);
  return body['record'] as KeyRecord;
}
const lastChange = () => harness.gateway.changes.at(-1);

test.each(['tag:write', 'db:write', 'script:execute'])(
  'a key with %s is paused until a second user approves it',
  async (scope) => {
    const { id, paused } = await make(['tag:read', scope]);
    expect(paused).toMatchObject({ by: 'Ada', second: true });
    expect(lastChange()).toMatchObject({ kind: 'key', key: { id, paused: expect.any(String) } });
    const own = await admin.send('POST', `${KEYS}/${id}/resume`);
    expect([own.status, own.body]).toMatchObject([403, { code: 'permission_missing', rule: 'key_second_person' }]);
    const { status, body } = await other.send('POST', `${KEYS}/${id}/resume`);
    expect([status, body['paused']]).toEqual([200, null]);
    expect(lastChange()).toEqual({ kind: 'key-paused', keyId: id, paused: null });
    const row = harness.audit.rows.findLast(({ act, status: ended }) => act === 'key.resume' && ended === 200);
    expect(row).toMatchObject({ keyId: id, detail: 'approved by a second user; created by Ada' });
  },
);

test('a key that can only read is valid at once, and so is every key without the setting', async () => {
  expect((await make(['tag:read', 'db:read'])).paused).toBeNull();
  await admin.send('PATCH', '/settings', { secondPerson: 'off' });
  expect((await make(['tag:write'], 'SCADA')).paused).toBeNull();
});

test('the successor of a rotation needs a second user too, and the old key stays valid', async () => {
  await admin.send('PATCH', '/settings', { secondPerson: 'off' });
  const old = await make(['tag:write']);
  await admin.send('PATCH', '/settings', { secondPerson: 'on' });
  const { body } = await admin.send('POST', `${KEYS}/${old.id}/rotate`);
  const successor = body['record'] as KeyRecord;
  expect(successor.paused).toMatchObject({ second: true, by: 'Ada' });
  expect((await admin.send('POST', `${KEYS}/${successor.id}/resume`)).status).toBe(403);
  const { body: list } = await admin.send('GET', KEYS);
  expect((list['items'] as KeyRecord[]).find(({ id }) => id === old.id)?.paused).toBeNull();
});

test('the limits of an approved key are narrowed, but not widened', async () => {
  const limits = { 'tag:write': ['line7/speed'], rehearsal: true };
  const { body } = await admin.send('POST', KEYS, { name: 'MES', scopes: ['tag:write'], limits });
  const { id } = body['record'] as KeyRecord;
  await other.send('POST', `${KEYS}/${id}/resume`);
  for (const wider of [{ 'tag:write': ['line7/speed'] }, { 'tag:write': ['**'], rehearsal: true }, {}]) {
    const refused = await admin.send('PUT', `${KEYS}/${id}/limits`, { limits: wider });
    expect([refused.status, refused.body]).toMatchObject([403, { rule: 'key_second_limits' }]);
  }
  const narrower = { 'tag:write': [], rehearsal: true };
  expect((await admin.send('PUT', `${KEYS}/${id}/limits`, { limits: narrower })).status).toBe(200);
});

test('a pause by its creator changes nothing, and an ordinary pause is resumed by anyone', async () => {
  const { id } = await make(['tag:write']);
  await admin.send('POST', `${KEYS}/${id}/pause`, { reason: 'service' });
  expect((await admin.send('POST', `${KEYS}/${id}/resume`)).status).toBe(403);
  await other.send('POST', `${KEYS}/${id}/resume`);
  await admin.send('POST', `${KEYS}/${id}/pause`, { reason: 'service' });
  expect((await admin.send('POST', `${KEYS}/${id}/resume`)).status).toBe(200);
});

test('the user whose service token has created a key does not approve it', async () => {
  const endsAt = new Date(harness.clock.ms + 60_000).toISOString();
  const permissions = ['manage_keys', 'access_settings'];
  const token = await admin.send('POST', '/tokens', { name: 'CI', permissions, project: null, endsAt });
  const headers = { authorization: `Bearer ${String(token.body['token'])}` };
  const made = await harness.nobody.send('POST', KEYS, { name: 'MES', scopes: ['tag:write'] }, headers);
  const { id, createdBy, paused } = made.body['record'] as KeyRecord;
  expect([createdBy, paused]).toMatchObject(['token:CI', { by: 'Ada', second: true }]);
  expect((await admin.send('POST', `${KEYS}/${id}/resume`)).body).toMatchObject({ rule: 'key_second_person' });
  expect((await other.send('POST', `${KEYS}/${id}/resume`)).status).toBe(200);
});

test('a service token does not approve a key', async () => {
  const { id } = await make(['tag:write']);
  const endsAt = new Date(harness.clock.ms + 60_000).toISOString();
  const made = await admin.send('POST', '/tokens', { name: 'CI', permissions: ['manage_keys'], project: null, endsAt });
  const headers = { authorization: `Bearer ${String(made.body['token'])}` };
  const { status, body } = await harness.nobody.send('POST', `${KEYS}/${id}/resume`, {}, headers);
  expect([status, body]).toMatchObject([403, { rule: 'key_second_token' }]);
});

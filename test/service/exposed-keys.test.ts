import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeyRecord } from '#common/model/records.ts';
import { unknownKey } from '#test/make-key.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';

/** Exposed keys and honey keys in the running service: mark, alarm and journal row. */
const P = '/projects/line-7';
let service: TestService;

interface Made {
  key: string;
  record: KeyRecord;
}

beforeAll(async () => {
  service = await startService();
  await service.setUp();
  const { admin } = service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  await admin.ok('POST', `${P}/pipelines`, routePipeline({ id: 'state', path: '/state', method: 'POST' }));
  await admin.ok('POST', `${P}/pipelines/state/start`);
});
afterAll(() => service.stop());

const make = (name: string, more: object = {}) => service.admin.ok<Made>('POST', `${P}/keys`, { name, ...more });
const post = (path: string, headers: Record<string, string>, body = '{}') =>
  fetch(`http://127.0.0.1:${service.gatewayPort}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });

async function marked(id: string): Promise<KeyRecord> {
  return until('the mark', async () => {
    const { items } = await service.admin.ok<{ items: KeyRecord[] }>('GET', `${P}/keys`);
    const found = items.find((key) => key.id === id);
    return found !== undefined && found.exposed !== null ? found : null;
  });
}

const alarmOf = async (code: string) => (await service.status()).alarms.find((alarm) => alarm.code === code);
const rowsOf = async (keyId: string, act: string) =>
  until('the journal row', async () => {
    const { items } = await service.admin.ok<{ items: { act?: string }[] }>('GET', `/audit?keyId=${keyId}&limit=50`);
    const found = items.filter((row) => row.act === act);
    return found.length > 0 ? found : null;
  });

test.each([
  ['query', async (key: string) => post(`/state?key=${key}`, { 'X-API-Key': key })],
  ['authorization', async (key: string) => post('/state', { Authorization: `Basic ${btoa(`mes:${key}`)}` })],
  ['body', async (key: string) => post('/state', { 'X-API-Key': key }, JSON.stringify({ key }))],
])('a key in %s is marked, with an alarm and a row, until it is revoked', async (how, call) => {
  const { key, record } = await make(`Exposed in ${how}`);
  await call(key);
  const found = await marked(record.id);
  expect(found.exposed).toMatchObject({ how, ip: '127.0.0.1', method: 'POST', path: '/state' });
  expect(JSON.stringify(found)).not.toContain(key);
  expect(await alarmOf('key_exposed')).toMatchObject({ text: expect.stringContaining(`Exposed in ${how}`) });
  expect(await rowsOf(record.id, 'key.exposed')).toMatchObject([{ detail: how, ip: '127.0.0.1', path: '/state' }]);
  await service.admin.ok('POST', `${P}/keys/${record.id}/revoke`);
  expect(await alarmOf('key_exposed')).toBeUndefined();
});

test('a honey key is refused like an unknown key, byte for byte, and raises an alarm with route and address', async () => {
  const { key, record } = await make('Trap', { honey: true });
  const unknown = unknownKey();
  const answers = await Promise.all(
    [key, unknown].map(async (value) => {
      const response = await post('/state', { 'X-API-Key': value });
      const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
      const requestId = response.headers.get('x-request-id') ?? '';
      return { status: response.status, headers, body: (await response.text()).replace(requestId, '') };
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject({ status: 401 });
  expect(await marked(record.id)).toMatchObject({ honey: true, exposed: { how: 'honey', path: '/state' } });
  expect(await alarmOf('honey_key_used')).toMatchObject({
    text: expect.stringContaining('Trap: POST /state (127.0.0.1)'),
  });
  expect(await rowsOf(record.id, 'key.honey')).toMatchObject([{ keyName: 'Trap', ip: '127.0.0.1', path: '/state' }]);
  await service.admin.ok('POST', `${P}/keys/${record.id}/revoke`);
  expect(await alarmOf('honey_key_used')).toBeUndefined();
});

test('a honey key has no scopes and is not rotated', async () => {
  const scoped = { name: 'Scoped', honey: true, scopes: ['tag:read'] };
  const refused = await service.admin.request('POST', `${P}/keys`, scoped);
  expect([refused.status, refused.body]).toMatchObject([400, { errors: [{ path: 'scopes' }] }]);
  const { record } = await make('Other trap', { honey: true });
  expect((await service.admin.request('POST', `${P}/keys/${record.id}/rotate`)).status).toBe(409);
});

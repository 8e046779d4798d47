import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { type ModbusPeer, startModbusPeer } from '#test/peers/modbus-peer.ts';
import type { DatabasePeer } from '#test/peers/database-peer.ts';
import { postgresMissing, startPostgres } from '#test/peers/postgres.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';

/**
 * The whole service: if an administrator removes an address from the list, devices and databases can no longer use it.
 */
const P = '/projects/line-7';
const missing = postgresMissing();
let service: TestService;
let plc: ModbusPeer;
let database: DatabasePeer | undefined;
let port: number;

beforeAll(async () => {
  port = await freePort();
  plc = await startModbusPeer({ port, values: { holding: { 0: 1 } } });
  if (missing === false) database = await startPostgres();
  service = await startService();
  await service.setUp();
  await service.admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
});
afterAll(async () => {
  await service?.stop();
  await database?.stop();
  await plc?.kill();
});

const allow = (allowedInternalTargets: string[]) => service.admin.ok('PATCH', '/settings', { allowedInternalTargets });
const connect = (id: string, settings: object) =>
  service.admin.ok('POST', `${P}/connections`, { id, settings: { host: '127.0.0.1', ...settings } });

test('a Modbus tag reads bad with the reason and is not written once the change is acknowledged, and is good when it is allowed again', async () => {
  const { admin } = service;
  const target = `127.0.0.1:${port}`;
  await allow([target]);
  await connect('plc', { kind: 'modbus', port, timeout: 1 });
  const source = { provider: 'modbus', connection: 'plc', table: 'holding', address: 0, poll: 0.1 };
  await admin.ok('PUT', `${P}/tags`, { items: [{ path: 'word', type: 'number', writable: true, source }] });
  const read = async () => {
    const { items } = await admin.ok<{ items: unknown[] }>('POST', `${P}/tags/read`, { paths: ['word'] });
    return items[0] as { value: unknown; quality: string; reason: string | null };
  };
  const write = (value: number) => admin.request('POST', `${P}/tags/write`, { writes: [{ path: 'word', value }] });
  await until('good', async () => (await read()).value === 1);
  await allow([]);
  expect(await read()).toMatchObject({ quality: 'bad', reason: expect.stringContaining('allowed internal targets') });
  const answer = await write(5);
  expect(answer.status).toBe(409);
  expect(JSON.stringify(answer.body)).toContain('allowed internal targets');
  expect((await plc.report()).values.holding).toEqual({ 0: 1 });
  await allow([target]);
  await until('good again', async () => (await read()).value === 1);
  expect((await write(6)).status).toBe(204);
});

test.skipIf(missing)('a query on an open pool is refused once the change is acknowledged', async () => {
  const { admin } = service;
  if (database === undefined) throw new Error('it is not there');
  const { port: at, user, password, database: name } = database;
  await allow([`127.0.0.1:${at}`]);
  const settings = { port: at, user, password, database: name, tls: 'off', poolMax: 1, connectTimeout: 2 };
  await connect('mes', { kind: 'postgresql', ...settings });
  await admin.ok('POST', `${P}/queries`, { id: 'one', connection: 'mes', sql: 'SELECT 1 AS n' });
  const ask = () => admin.request('POST', `${P}/queries/one/test`, {});
  expect((await ask()).body).toMatchObject({ rows: [{ n: 1 }] });
  await allow([]);
  const answer = await ask();
  expect(answer.status).toBe(409);
  expect(JSON.stringify(answer.body)).toContain('allowed internal targets');
  await allow([`127.0.0.1:${at}`]);
  expect((await ask()).body).toMatchObject({ rows: [{ n: 1 }] });
});

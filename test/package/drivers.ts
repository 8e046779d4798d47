import { expect } from 'vitest';
import type { AdminClient } from '#test/admin-client.ts';
import { freePort } from '#test/free-port.ts';
import { mariadbMissing, startMariadb } from '#test/peers/mariadb.ts';
import { startModbusPeer } from '#test/peers/modbus-peer.ts';
import { startMqttPeer } from '#test/peers/mqtt-peer.ts';
import { makeCertificate } from '#test/peers/opcua-certificates.ts';
import { startOpcuaPeer } from '#test/peers/opcua-peer.ts';
import type { DatabasePeer } from '#test/peers/database-peer.ts';
import { postgresMissing, startPostgres } from '#test/peers/postgres.ts';
import { startService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';

/**
 * Every driver of a packaged `sluice`: each is loaded on first use, so that a package without one starts nevertheless.
 * Real peers on this machine, if their programs are installed; otherwise, and for SQL Server, the driver's own
 * "refused" shows that it was loaded.
 */
const P = '/projects/line';

export async function expectDrivers(program: readonly [string, ...string[]]): Promise<void> {
  await using dir = await tempDir('sluice-package-peers-');
  await using service = await startService([], { program, env: { NODE_PATH: '' } });
  await service.setUp();
  const { admin } = service;
  await admin.ok('POST', '/projects', { id: 'line', name: 'Line' });
  await expectEmbedded(admin);

  await using mqtt = await startMqttPeer({ port: await freePort() });
  await using modbus = await startModbusPeer({ port: await freePort(), values: { holding: { 0: 7 } } });
  await using opcua = await startOpcuaPeer(dir.path, {
    port: await freePort(),
    ...(await makeCertificate(dir.path, 'server')),
  });
  await using postgres = postgresMissing() === false ? await startPostgres() : null;
  await using mariadb = mariadbMissing() === false ? await startMariadb() : null;
  const closed = await freePort();
  const rows = [
    { settings: { kind: 'mqtt', port: mqtt.port, tls: 'off' }, there: true },
    { settings: { kind: 'modbus', port: modbus.port }, there: true },
    { settings: { kind: 'opcua', port: opcua.port, securityMode: 'None', securityPolicy: 'None' }, there: true },
    { settings: { kind: 'postgresql', ...logInOf(postgres, closed) }, there: postgres !== null },
    { settings: { kind: 'mysql', ...logInOf(mariadb, closed) }, there: mariadb !== null },
    { settings: { kind: 'sqlserver', ...logInOf(null, closed) }, there: false },
  ];
  const allowed = rows.map(({ settings }) => `127.0.0.1:${settings.port}`);
  await admin.ok('PATCH', '/settings', { allowedInternalTargets: [...new Set(allowed)] });
  for (const { settings, there } of rows) await expectDriver(admin, settings, there);
  expect(await service.stop()).toBe(0);
}

/** A separate process with SQLite in it. */
async function expectEmbedded(admin: AdminClient): Promise<void> {
  const ask = async (sql: string): Promise<unknown> => {
    await admin.ok('PUT', `${P}/queries/own`, { id: 'own', sql });
    return admin.ok('POST', `${P}/queries/own/test`, {});
  };
  await admin.ok('POST', `${P}/queries`, { id: 'own', sql: 'SELECT 1' });
  await ask('CREATE TABLE parts (id INTEGER PRIMARY KEY, name TEXT)');
  await ask(`INSERT INTO parts (name) VALUES ('bolt'), ('nut')`);
  expect(await ask('SELECT name FROM parts ORDER BY id')).toMatchObject({ rows: [{ name: 'bolt' }, { name: 'nut' }] });
}

async function expectDriver(admin: AdminClient, settings: { kind: string }, there: boolean): Promise<void> {
  const draft = { id: 'peer', name: 'Peer', settings: { host: '127.0.0.1', ...settings } };
  const { ok, text } = await admin.ok<{ ok: boolean; text: string }>('POST', `${P}/connections/test`, draft);
  expect([ok, text], settings.kind).toEqual([
    there,
    there ? expect.any(String) : expect.stringMatching(/refuse|ECONNREFUSED/),
  ]);
}

function logInOf(peer: DatabasePeer | null, closed: number) {
  const { port, database, user, password } = peer ?? {
    port: closed,
    database: 'plant',
    user: 'sluice',
    password: 'nobody-listens',
  };
  return { port, database, user, password, tls: 'off' };
}

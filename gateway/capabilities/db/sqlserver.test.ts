import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { ConnectionDefinition } from '#common/model/connection.ts';
import { freePort } from '#test/free-port.ts';
import { until } from '#test/until.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { sqlServerConfig } from './engines/sqlserver.ts';
import { sqlServerTypeOf, sqlServerValue } from './engines/sqlserver-values.ts';
import { bindSql } from './sql/rewrite.ts';
import { openBench } from './testing.ts';

/** No SQL Server can be started here: these tests cover the behaviour that needs none. */
const settings = {
  kind: 'sqlserver',
  host: '127.0.0.1',
  port: 1433,
  database: 'plant',
  user: 'sa',
  password: 'only-for-the-test',
  tls: 'off',
  ca: null,
  poolMax: 1,
  connectTimeout: 0.5,
} as const;

const servers: { server: Server; sockets: Set<Socket> }[] = [];
afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
});

/** A server that handles each connection as the test defines. */
async function peer(act: (socket: Socket) => void): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    act(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push({ server, sockets });
  return { port: (server.address() as AddressInfo).port, sockets };
}

const connection = (port: number): ConnectionDefinition => ({ id: 'ms', name: '', settings: { ...settings, port } });

async function failure(port: number, allowed = true): Promise<{ code?: string; message?: string; ms: number }> {
  await using bench = await openBench({
    connections: [connection(port)],
    allowed: allowed ? [`127.0.0.1:${port}`] : [],
    usual: 'ms',
  });
  const began = performance.now();
  const error: unknown = await bench.sql('SELECT :a', { a: 1 }).catch((thrown: unknown) => thrown);
  return { ...(error as { code: string }), message: (error as Error).message, ms: performance.now() - began };
}

describe('a server that', () => {
  test('may not be dialled is refused before anything is sent', async () => {
    const { port, sockets } = await peer(() => undefined);
    expect(await failure(port, false)).toMatchObject({ code: 'target_refused' });
    expect(sockets.size).toBe(0);
  });

  test('may no longer be dialled while its session opens is reported as such, and its connection is closed', async () => {
    const { port, sockets } = await peer((socket) => socket.resume());
    await using bench = await openBench({
      connections: [{ id: 'ms', name: '', settings: { ...settings, port, connectTimeout: 30 } }],
      allowed: [`127.0.0.1:${port}`],
      usual: 'ms',
    });
    const asked = bench.sql('SELECT :a', { a: 1 }).catch((thrown: unknown) => thrown);
    await until('it was dialled', () => sockets.size > 0);
    bench.guard.configure([]);
    expect(await asked).toMatchObject({ code: 'target_refused' });
    await until('the connection is closed', () =>
      [...sockets].every(({ readableEnded, destroyed }) => readableEnded || destroyed),
    );
  });

  test('does not exist is unreachable', async () => {
    expect(await failure(await freePort())).toMatchObject({ code: 'db_unreachable' });
  });

  test('stays silent is unreachable within the connect timeout', async () => {
    const { port } = await peer(() => undefined);
    const { code, ms } = await failure(port);
    expect(code).toBe('db_unreachable');
    expect(ms).toBeLessThan(3_000);
  });

  test.each([
    ['closes at once', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['speaks HTTP', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['sends noise', (socket: Socket) => socket.write(Buffer.alloc(4_096, 0xa5))],
    ['answers with an empty packet', (socket: Socket) => socket.write(Buffer.from([4, 1, 0, 8, 0, 0, 0, 0]))],
  ])('%s is unreachable, and the password is not revealed', async (_what, act) => {
    const { port, sockets } = await peer(act);
    const { code, message } = await failure(port);
    expect(code).toBe('db_unreachable');
    expect(message).not.toContain(settings.password);
    expect(sockets.size).toBe(1);
  });
});

test('the driver is configured to dial through the guard, not to retry, and to verify certificates', () => {
  const guard = new TargetGuard([]);
  expect(sqlServerConfig(settings, guard)).toMatchObject({
    server: '127.0.0.1',
    options: { encrypt: false, maxRetriesOnTransientErrors: 0, connector: expect.any(Function), database: 'plant' },
  });
  expect(sqlServerConfig({ ...settings, tls: 'encrypt' }, guard).options).toMatchObject({
    encrypt: true,
    trustServerCertificate: true,
  });
  expect(sqlServerConfig({ ...settings, tls: 'verify', ca: '-----BEGIN' }, guard).options).toMatchObject({
    encrypt: true,
    trustServerCertificate: false,
    cryptoCredentialsDetails: { ca: '-----BEGIN' },
  });
});

test('parameters are numbered, each name once, and a second statement is refused', () => {
  const values = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  expect(bindSql('SELECT :a, :b, :a', values, 'sqlserver')).toMatchObject({
    sql: 'SELECT @p1, @p2, @p1',
    values: [1, 2],
  });
  expect(() => bindSql('SELECT :a; SELECT :b', values, 'sqlserver')).toThrow(
    expect.objectContaining({ code: 'sql_invalid' }),
  );
});

test.each([
  ['x', 'NVarChar'],
  [null, 'NVarChar'],
  [1, 'Int'],
  [2 ** 31, 'BigInt'],
  [5n, 'Int'],
  [2n ** 31n, 'BigInt'],
  [-(2n ** 31n), 'Int'],
  [1.5, 'Float'],
  [true, 'Bit'],
  [new Date(0), 'DateTimeOffset'],
  [new Uint8Array(1), 'VarBinary'],
])('%s is sent as %s', (value, type) => {
  expect(sqlServerTypeOf(value)).toBe(type);
});

test.each([
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [Buffer.from([1]), new Uint8Array([1])],
  [null, null],
  ['9007199254740993', '9007199254740993'],
  [1.5, 1.5],
])('%s is returned as JSON', (value, expected) => {
  expect(sqlServerValue(value)).toEqual(expected);
});

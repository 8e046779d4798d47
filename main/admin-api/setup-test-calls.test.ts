import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import type { SetupTest } from '#common/model/setup-test.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';
import { socketsOn } from './port-holder.ts';

harnessPerTest();
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
});

/** Listens like a program of another user. */
async function listener(host = '127.0.0.1'): Promise<number> {
  const server = createServer((socket) => socket.end());
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, host, done));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function ask(body: object): Promise<SetupTest> {
  const { status, body: answer } = await admin.send('POST', '/settings/test', {
    gatewayHost: '127.0.0.1',
    baseUrl: 'http://127.0.0.1',
    ...body,
  });
  expect(status).toBe(200);
  return answer as unknown as SetupTest;
}
const of = ({ findings }: SetupTest, check: string) => findings.find((finding) => finding.check === check);

test('a port of another program is in use, with its name if it is known, and a free one is suggested', async () => {
  const port = await listener();
  const found = of(await ask({ gatewayPort: port }), 'gatewayPort');
  expect(found).toMatchObject({ ok: false, code: 'taken', values: { port } });
  const free = Number(found?.values['free']);
  expect(free).toBeGreaterThan(port);
  expect(of(await ask({ gatewayPort: free }), 'gatewayPort')).toMatchObject({ ok: true, code: 'free' });
  if (process.platform === 'linux') expect(found?.values).toMatchObject({ pid: process.pid });
});

test('the port that the gateway serves is tested with a connection, and its time is reported in milliseconds', async () => {
  const port = await listener();
  Object.assign(harness.gateway, { port });
  await harness.deps.settings.change({ gatewayHost: '127.0.0.1' }, 'test');
  const found = of(await ask({ gatewayPort: port }), 'gatewayPort');
  expect(found).toMatchObject({ ok: true, code: 'serves', values: { port, ms: expect.any(Number) } });
});

test('a port that the gateway has on every address is free on one of them, because it moves', async () => {
  const port = await listener('0.0.0.0');
  Object.assign(harness.gateway, { port, pid: process.pid });
  await harness.deps.settings.change({ gatewayHost: '0.0.0.0' }, 'test');
  expect(of(await ask({ gatewayPort: port }), 'gatewayPort')).toMatchObject({ ok: true, code: 'free' });
  if (process.platform !== 'linux') return;
  Object.assign(harness.gateway, { pid: process.ppid });
  expect(of(await ask({ gatewayPort: port }), 'gatewayPort')).toMatchObject({ ok: false, code: 'taken' });
});

test("the UI's own port is usable for the UI, and the gateway and the UI may not use the same one", async () => {
  const same = await ask({ gatewayPort: harness.port, uiPort: harness.port });
  expect(of(same, 'uiPort')).toMatchObject({ ok: true, code: 'serves' });
  expect(of(same, 'gatewayPort')).toMatchObject({ ok: false, code: 'same' });
  const port = await listener();
  expect(of(await ask({ gatewayPort: port, uiPort: port }), 'uiPort')).toMatchObject({ ok: false, code: 'same' });
});

test('an address that this PC does not have, and any free port, are reported as such', async () => {
  const found = await ask({ gatewayHost: '192.0.2.1', gatewayPort: 18_090 });
  expect(of(found, 'gatewayPort')).toMatchObject({ ok: false, code: 'no_such_address' });
  expect(of(await ask({ gatewayPort: 0 }), 'gatewayPort')).toMatchObject({ ok: null, code: 'any' });
});

test('a gateway on loopback is reported as unreachable, any other with an unknown firewall', async () => {
  expect(of(await ask({}), 'listening')).toMatchObject({ ok: null, values: { host: '127.0.0.1' } });
  const open = await ask({ gatewayHost: '0.0.0.0', gatewayPort: await listener() });
  expect([of(open, 'listening'), of(open, 'firewall')]).toMatchObject([undefined, { ok: null, code: 'unknown' }]);
});

test('omitted fields have the values of the settings; nothing is changed and nothing is recorded', async () => {
  const rows = harness.audit.rows.length;
  const before = harness.deps.settings.current();
  const { body } = await admin.send('POST', '/settings/test', { baseUrl: 'http://127.0.0.1' });
  expect(of(body as unknown as SetupTest, 'gatewayPort')?.values['port']).toBe(before.gatewayPort);
  expect(harness.deps.settings.current()).toEqual(before);
  expect(harness.audit.rows.length).toBe(rows);
});

test.each([
  [{ gatewayPort: 70_000 }, 'gatewayPort'],
  [{ baseUrl: 'edge-7' }, 'baseUrl'],
  [{ tls: 'own' }, ''],
])('%j is refused, naming the field', async (body, path) => {
  const answer = await admin.send('POST', '/settings/test', body);
  expect([answer.status, answer.body['errors']]).toMatchObject([400, [{ path }]]);
});

test('concurrent tests run one after another: none reports the port of another as in use', async () => {
  const port = await freePort();
  const all = await Promise.all(
    Array.from({ length: 5 }, () =>
      admin.send('POST', '/settings/test', { gatewayPort: port, gatewayHost: '127.0.0.1' }),
    ),
  );
  const codes = all.map(({ body }) => of(body as unknown as SetupTest, 'gatewayPort')?.code);
  expect(codes).toEqual(['free', 'free', 'free', 'free', 'free']);
});

test('only sockets that listen on the port are its holders', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 00000000:1F9A 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0 0 4711 1',
    '   1: 0100007F:1F9A 0100007F:9999 01 00000000:00000000 00:00000000 00000000  0 0 4712 1',
    '   2: 0100007F:1F9B 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0 0 4713 1',
  ].join('\n');
  expect(socketsOn(table, 8090)).toEqual(['4711']);
});

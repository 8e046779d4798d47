import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Settings, settingsSchema } from '#common/model/settings.ts';
import { createLogger } from '#common/node/log.ts';
import { freePort } from '#test/free-port.ts';
import { testCertificate } from '#test/test-certificate.ts';
import { until } from '#test/until.ts';
import { createScrapeAddress, type ScrapeAddress } from './scrape-address.ts';
import { CONNECTIONS_MAX } from './scrape-server.ts';

const TOKEN = 'a-token-of-24-characters';
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };
const settings = (patch: Partial<Settings> = {}): Settings => ({
  ...settingsSchema.parse({ metricsHost: '127.0.0.1', metricsPort: 0, metricsToken: TOKEN }),
  ...patch,
});

let address: ScrapeAddress;
let text: () => Promise<string>;
const logged: string[] = [];
beforeEach(() => {
  text = () => Promise.resolve('sluice_gateway_up 1\n');
  logged.length = 0;
  address = createScrapeAddress({
    metrics: { text: () => text() },
    forGateway: (saved) => saved,
    log: createLogger('test', (line) => logged.push(line)),
    retryMs: 20,
  });
});
afterEach(() => address.close());

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

async function ask(path: string, options: { method?: string; headers?: Record<string, string>; ca?: string } = {}) {
  const { ca, method = 'GET', headers = AUTHORIZED } = options;
  const target = { host: '127.0.0.1', port: address.port, path, method, headers };
  const request = ca === undefined ? httpRequest(target) : httpsRequest({ ...target, ca, servername: 'localhost' });
  request.end();
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream & { statusCode: number } & Answer];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, headers: response.headers, body };
}

async function taken(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('a request', () => {
  beforeEach(() => address.open(settings()));

  test('with the token gets the metrics, by GET and HEAD, on its own connection', async () => {
    const { status, headers, body } = await ask('/metrics');
    expect({ status, body, type: headers['content-type'], connection: headers['connection'] }).toEqual({
      status: 200,
      body: 'sluice_gateway_up 1\n',
      type: 'text/plain; version=0.0.4; charset=utf-8',
      connection: 'close',
    });
    expect(await ask('/metrics', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect((await ask('/metrics?x=1')).status).toBe(200);
  });

  test.each([
    ['none', {}],
    ['another', { authorization: 'Bearer another-token-of-24-char' }],
    ['a longer one', { authorization: `Bearer ${TOKEN}x` }],
    ['no bearer', { authorization: `Basic ${TOKEN}` }],
  ])('with a wrong token (%s) learns nothing, whatever it asks for', async (_what, headers) => {
    for (const path of ['/metrics', '/', '/api/v1/status']) {
      const answer = await ask(path, { headers: { ...headers } });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(answer.body).toBe('Expected the header Authorization: Bearer with the metrics token.\n');
    }
  });

  test('for anything else is refused', async () => {
    for (const path of ['/', '/metrics/', '/api/v1/metrics', '/api/v1/settings'])
      expect((await ask(path)).status).toBe(404);
    const posted = await ask('/metrics', { method: 'POST' });
    expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  test('that fails is reported without the cause, which is logged', async () => {
    text = () => Promise.reject(new Error('the cause'));
    const { status, body } = await ask('/metrics');
    expect([status, body]).toEqual([500, 'The metrics could not be made; the log of Sluice says why.\n']);
    await until('it is logged', () => logged.join().includes('the cause'));
  });
});

test('no more connections than the limit are kept, and a silent one is closed', async () => {
  await address.open(settings());
  const sockets: Socket[] = [];
  let closed = 0;
  for (let n = 0; n < CONNECTIONS_MAX + 4; n++) {
    const socket = connect({ host: '127.0.0.1', port: address.port ?? 0 });
    socket.on('error', () => undefined).on('close', () => closed++);
    socket.resume();
    sockets.push(socket);
  }
  await until('those beyond the limit are closed', () => closed === 4);
  await until('the silent ones are cut', () => closed === CONNECTIONS_MAX + 4);
  expect((await ask('/metrics')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

describe('settings', () => {
  test('without a port or without a token open nothing', async () => {
    await address.open(settings({ metricsPort: null }));
    expect([address.port, address.trouble]).toEqual([null, null]);
    await address.configure(settings({ metricsToken: null }));
    expect(address.port).toBeNull();
  });

  test('with another token take effect at once, on the same port', async () => {
    await address.open(settings());
    const { port } = address;
    await address.configure(settings({ metricsToken: 'another-token-of-24-char' }));
    expect(address.port).toBe(port);
    expect((await ask('/metrics')).status).toBe(401);
    expect((await ask('/metrics', { headers: { authorization: 'Bearer another-token-of-24-char' } })).status).toBe(200);
  });

  test('with TLS on the gateway port serve only TLS, with the same certificate', async () => {
    const port = await freePort();
    await address.open(settings({ metricsPort: port }));
    const tls = await testCertificate();
    await address.configure(settings({ metricsPort: port, ...tls.settings }));
    expect((await ask('/metrics', { ca: tls.certificate })).status).toBe(200);
    await expect(ask('/metrics')).rejects.toThrow();
    await address.configure(settings({ metricsPort: port }));
    expect((await ask('/metrics')).status).toBe(200);
  });

  test('with an unusable certificate are refused, and plain HTTP is not served in its place', async () => {
    await address.open(settings({ metricsPort: null }));
    const broken = settings({ tls: 'own', tlsCertificate: 'no', tlsKey: 'no' });
    await expect(address.configure(broken)).rejects.toMatchObject({ code: 'invalid' });
    expect(address.port).toBeNull();
  });

  test('with a port in use are refused, and the previous address stays open', async () => {
    await using server = await taken();
    await address.open(settings());
    const { port } = address;
    await expect(address.configure(settings({ metricsPort: portOf(server) }))).rejects.toMatchObject({
      code: 'conflict',
      errors: [{ path: 'metricsPort', message: `port ${portOf(server)} is in use by another program; choose another` }],
    });
    expect(address.port).toBe(port);
    expect((await ask('/metrics')).status).toBe(200);
  });

  test('that fail on the same port reopen it', async () => {
    const port = await freePort();
    await address.open(settings({ metricsPort: port }));
    await expect(address.configure(settings({ metricsPort: port, metricsHost: '192.0.2.1' }))).rejects.toMatchObject({
      errors: [{ path: 'metricsHost' }],
    });
    expect((await ask('/metrics')).status).toBe(200);
  });

  test('whose port is in use at the start are retried, and block no other change in the meantime', async () => {
    const server = await taken();
    const wanted = settings({ metricsPort: portOf(server) });
    await address.open(wanted);
    expect(address.trouble).toBe(`metricsPort: port ${portOf(server)} is in use by another program; choose another`);
    await address.configure({ ...wanted, journalDays: 30 });
    expect(address.port).toBeNull();
    server.close();
    await until('it is open', () => address.port === wanted.metricsPort);
    expect(address.trouble).toBeNull();
  });
});

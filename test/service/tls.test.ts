import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOneRefusal, expectRefusal } from '#test/expect-refusal.ts';
import { freePort } from '#test/free-port.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { call, openRaw, rawRequest, requestBytes } from '#test/raw-request.ts';
import { type TestCertificate, testCertificate } from '#test/test-certificate.ts';
import { until } from '#test/until.ts';
import { whatRan } from '#test/what-ran.ts';
import { STRICT_ROWS } from './strict-rows/table.ts';
import { pipelines, startTlsGateway } from './tls-gateway.ts';

/** TLS (docs/spec/settings.md#tls) over real sockets: the rules of the plain port also apply over TLS. */
const key = makeKey();
const GOOD = `GET /count HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key.value}\r\n\r\n`;
const SECRET_PART = key.value.slice(17, -6);

let proof: TestCertificate;
let gateway: TestGateway;

beforeAll(async () => {
  ({ proof, gateway } = await startTlsGateway(key));
});
afterAll(() => gateway?.stop());

/** Both versions together are reported one by one, not counted. */
const DISTRUSTFUL = 5;
const overTls = () => ({ connect: { tls: proof.trust } });
const get = (path = '/count') => call(gateway.port, { path, key: key.value, ...overTls() });
const rowsOf = async (cause: string) => (await gateway.journalRows()).filter((row) => row.why?.cause === cause);

test('a call with a key is served over TLS 1.3 and 1.2, with the certificate verified by name and address', async () => {
  for (const maxVersion of ['TLSv1.3', 'TLSv1.2'] as const) {
    await using byName = await openRaw(gateway.port, { tls: { ...proof.trust, maxVersion } });
    byName.send(GOOD);
    expect((await byName.next()).status).toBe(200);
    await using byAddress = await openRaw(gateway.port, {
      tls: { ...proof.trust, maxVersion, host: '127.0.0.1', servername: '' },
    });
    byAddress.send(GOOD);
    expect((await byAddress.next()).status).toBe(200);
  }
  await expect(openRaw(gateway.port, { tls: { ...proof.trust, servername: 'elsewhere' } })).rejects.toThrow('altnames');
});

test('a plain-HTTP request is closed unanswered, never served, and the journal records why', async () => {
  const before = await whatRan(gateway, 'count');
  const { responses, closed } = await rawRequest(gateway.port, GOOD);
  expect(responses).toEqual([]);
  expect(closed?.rest.toString('latin1')).not.toContain('HTTP');
  expect(await whatRan(gateway, 'count')).toEqual(before);
  await until('the row', async () => (await rowsOf('tls_plain_http')).length > 0);
  expect((await rowsOf('tls_plain_http'))[0]).toMatchObject({ type: 'refusal', code: 'bad_request', ip: '127.0.0.1' });
});

test('TLS 1.1 and cipher suites that are not on the list are refused', async () => {
  const old = { ...proof.trust, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await expect(openRaw(gateway.port, { tls: old })).rejects.toThrow(/alert|version|protocol/i);
  await until('the row', async () => (await rowsOf('tls_version')).length > 0);
  const weak = { ...proof.trust, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES256-SHA' } as const;
  await expect(openRaw(gateway.port, { tls: weak })).rejects.toThrow(/alert|cipher/i);
  await until('the row', async () => (await rowsOf('tls_cipher')).length > 0);
});

test.each(['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA384', 'ECDHE-ECDSA-AES128-SHA'])(
  'the CBC suite %s is refused',
  async (ciphers) => {
    await expect(openRaw(gateway.port, { tls: { ...proof.trust, maxVersion: 'TLSv1.2', ciphers } })).rejects.toThrow(
      /alert|cipher/i,
    );
  },
);

test.each(['ffdhe2048', 'ffdhe3072'])('the finite-field group %s is refused', async (ecdhCurve) => {
  await expect(openRaw(gateway.port, { tls: { ...proof.trust, minVersion: 'TLSv1.3', ecdhCurve } })).rejects.toThrow(
    /alert|group|handshake/i,
  );
});

test.each(['X25519', 'P-256', 'P-384', 'P-521', 'X25519MLKEM768'])('the group %s is served', async (ecdhCurve) => {
  await using connection = await openRaw(gateway.port, { tls: { ...proof.trust, minVersion: 'TLSv1.3', ecdhCurve } });
  connection.send(GOOD);
  expect((await connection.next()).status).toBe(200);
});

test.each(['1.3', '1.2'])(
  'each caller over TLS %s that does not trust the certificate is recorded in the journal',
  async (version) => {
    const before = (await rowsOf('tls_not_trusted')).length;
    // Node's own client sends no alert when it rejects a certificate.
    const distrust = async () => {
      const curl = spawn('curl', ['-sS', '--tls-max', version, `https://127.0.0.1:${gateway.port}/count`]);
      return (await once(curl, 'close'))[0] as number | null;
    };
    // Immediately: some have reset the connection before the gateway reads it.
    expect(await Promise.all(Array.from({ length: DISTRUSTFUL }, distrust))).toEqual(Array(DISTRUSTFUL).fill(60));
    await until('the rows', async () => (await rowsOf('tls_not_trusted')).length === before + DISTRUSTFUL);
  },
);

test('renegotiation is refused', async () => {
  await using connection = await openRaw(gateway.port, { tls: { ...proof.trust, maxVersion: 'TLSv1.2' } });
  const { socket } = connection;
  if (!(socket instanceof TLSSocket)) throw new Error('not over TLS');
  const refused = new Promise((resolve) => {
    socket.on('error', () => resolve(true));
    socket.renegotiate({}, (error) => error && resolve(true));
    socket.on('close', () => resolve(true));
  });
  expect(await Promise.race([refused, sleep(3000, false)])).toBe(true);
});

describe('a refused request over TLS with a valid one after it', () => {
  const rows = STRICT_ROWS.filter((row, at) => at % 6 === 0 || row.family !== STRICT_ROWS[at - 1]?.family);

  // A TLS record has at most 16 KiB (RFC 8446, 5.1), so a long request always arrives in pieces.
  test.each(rows)('$family: $name', async ({ bytes, code, inPieces = [code], fin }) => {
    const before = await whatRan(gateway, 'count');
    await using connection = await openRaw(gateway.port, { tls: proof.trust });
    connection.send(bytes.replaceAll('%KEY%', key.value) + GOOD);
    if (fin) connection.socket.end();
    const closed = await connection.closed();
    expect(connection.responses).toHaveLength(1);
    const requestId = expectOneRefusal(connection.responses[0], inPieces);
    expect(closed.how).toBe('end');
    expect(closed.rest.length).toBe(0);
    expect(await whatRan(gateway, 'count')).toEqual(before);
    expect((await gateway.journalRows(requestId)).filter((row) => row.type !== 'refusal')).toEqual([]);
  });
});

describe('an additional plain port', () => {
  test('serves the same routes by the same rules, and its connections count towards the same limits', async () => {
    await using both = await startGateway({
      pipelines: pipelines(),
      keys: [key],
      settings: { ...proof.settings, plainHttpPort: 0 },
    });
    const plain = both.ready.plainHttpPort ?? 0;
    expect((await call(plain, { path: '/count', key: key.value })).status).toBe(200);
    const row = STRICT_ROWS[0];
    const { responses } = await rawRequest(plain, (row?.bytes ?? '').replaceAll('%KEY%', key.value) + GOOD);
    expect(responses).toHaveLength(1);
    const own = (port: number, origin: string, tls?: typeof proof.trust) =>
      call(port, {
        path: '/count',
        key: key.value,
        headers: { Origin: `${origin}://127.0.0.1:${port}`, Host: `127.0.0.1:${port}` },
        connect: tls ? { tls } : {},
      });
    expect((await own(plain, 'http')).status).toBe(200);
    expect((await own(plain, 'https')).status).toBe(403);
    expect((await own(both.port, 'https', proof.trust)).status).toBe(200);
    expect((await own(both.port, 'http', proof.trust)).status).toBe(403);
    const localAddress = '127.0.0.9';
    const held = Array.from({ length: 256 }, (_, at) =>
      connect({ port: at % 2 === 0 ? plain : both.port, host: '127.0.0.1', localAddress }).on('error', () => {}),
    );
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    await until('all are counted', async () => (await both.call('stats', {})).connections === 256);
    await using over = await openRaw(plain, { localAddress });
    expectRefusal(await over.next(), 'overloaded');
    held.forEach((socket) => socket.destroy());
  });

  test('is not open unless it is configured', () => {
    expect(gateway.ready.plainHttpPort).toBeNull();
  });
});

describe('changes while it serves', () => {
  test('turning TLS on and off on the same port: requests in progress are answered, and no other port stays open', async () => {
    const gatewayPort = await freePort();
    await using own = await startGateway({ pipelines: pipelines(), keys: [key], settings: { gatewayPort } });
    await using busy = await openRaw(gatewayPort);
    busy.send(requestBytes({ path: '/slow' }));
    await until('the request is in flight', async () => (await own.call('stats', {})).inFlight === 1);
    await own.changeSettings(proof.settings);
    const answer = await busy.next();
    expect([answer.status, answer.header('connection')]).toEqual([200, 'close']);
    expect((await call(gatewayPort, { path: '/count', key: key.value, ...overTls() })).status).toBe(200);
    expect((await rawRequest(gatewayPort, GOOD)).responses).toEqual([]);
    await own.changeSettings({ tls: 'off' });
    expect((await call(gatewayPort, { path: '/count', key: key.value })).status).toBe(200);
    await expect(openRaw(gatewayPort, { tls: proof.trust })).rejects.toThrow();
  });

  test('a port that the system chose stays the same when TLS is turned on', async () => {
    await using own = await startGateway({ pipelines: pipelines(), keys: [key] });
    await own.changeSettings(proof.settings);
    expect((await call(own.port, { path: '/count', key: key.value, ...overTls() })).status).toBe(200);
  });

  test('a plain port in use leaves everything unchanged and is named in the error', async () => {
    const taken = connect(gateway.port, '127.0.0.1').on('error', () => {});
    const gatewayPort = await freePort();
    await using own = await startGateway({ pipelines: pipelines(), keys: [key], settings: { gatewayPort } });
    await expect(own.changeSettings({ ...proof.settings, plainHttpPort: gateway.port })).rejects.toThrow(
      `plainHttpPort: port ${gateway.port} is in use by another program`,
    );
    expect((await call(gatewayPort, { path: '/count', key: key.value })).status).toBe(200);
    taken.destroy();
  });

  test('the plain port can become the additional one without an interruption', async () => {
    const [plain, secure] = [await freePort(), await freePort()];
    await using own = await startGateway({ pipelines: pipelines(), keys: [key], settings: { gatewayPort: plain } });
    await using kept = await openRaw(plain);
    kept.send(GOOD);
    expect((await kept.next()).status).toBe(200);
    await own.changeSettings({ ...proof.settings, gatewayPort: secure, plainHttpPort: plain });
    kept.send(GOOD);
    expect((await kept.next()).status).toBe(200);
    expect((await call(secure, { path: '/count', key: key.value, ...overTls() })).status).toBe(200);
  });

  test('an unusable certificate is refused, and the previous one remains', async () => {
    const other = await testCertificate();
    const mixed = { ...proof.settings, tlsCertificate: other.certificate };
    await expect(gateway.changeSettings(mixed)).rejects.toMatchObject({ failure: { code: 'invalid' } });
    await expect(gateway.changeSettings({ ...proof.settings, tlsKey: null })).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
    expect((await get()).status).toBe(200);
  });

  test('a new certificate under load loses no request: new connections see it, kept ones continue', async () => {
    const renewed = await Promise.all(Array.from({ length: 3 }, () => testCertificate()));
    // A caller that connects while the certificate changes may get either.
    const trust = { ca: [proof, ...renewed].map(({ certificate }) => certificate) };
    const seen = new Set<string>();
    let sent = 0;
    let stop = false;
    const caller = async (fresh: boolean) => {
      let connection = await openRaw(gateway.port, { tls: trust });
      while (!stop) {
        connection.send(GOOD);
        expect((await connection.next()).status).toBe(200);
        sent += 1;
        if (!fresh) continue;
        await connection[Symbol.asyncDispose]();
        connection = await openRaw(gateway.port, { tls: trust });
        const { socket } = connection;
        if (socket instanceof TLSSocket) seen.add(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
      }
      await connection[Symbol.asyncDispose]();
    };
    const callers = Promise.all([caller(false), caller(false), caller(true), caller(true)]);
    const renewals = async () => {
      await until('the first certificate was seen', async () => seen.size === 1);
      for (const next of renewed) {
        const from = sent;
        await gateway.changeSettings(next.settings);
        await until('calls continued', async () => sent > from + 100);
      }
    };
    await Promise.race([renewals(), callers]);
    stop = true;
    await callers;
    expect(seen.size).toBe(4);
    expect(sent).toBeGreaterThan(200);
    await gateway.changeSettings(proof.settings);
  });
});

test('neither key appears in the log or the journal of the gateway', async () => {
  const text = gateway.log() + JSON.stringify(await gateway.journalRows());
  expect(text).not.toContain(SECRET_PART);
  for (const line of proof.key.split('\n').filter((one) => one.length > 20)) expect(text).not.toContain(line);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { ConnectionOf } from '#common/model/connection.ts';
import { createLogger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { freePort } from '#test/free-port.ts';
import { type PeerCertificate, makeCertificate } from '#test/peers/opcua-certificates.ts';
import { type OpcuaPeer, startOpcuaPeer } from '#test/peers/opcua-peer.ts';
import { Recorder, opcuaSettings, opcuaTag } from '#test/peers/opcua-tags.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { probeOpcua } from './probe.ts';
import { createOpcuaProvider } from './provider.ts';

const dir = dirPerFile();
let own: PeerCertificate;
let other: PeerCertificate;

beforeAll(async () => {
  own = await makeCertificate(dir.path, 'server');
  other = await makeCertificate(dir.path, 'other');
});

const guardOf = (port: number) => new TargetGuard([`127.0.0.1:${port}`]);
const probe = (port: number, more: Partial<ConnectionOf<'opcua'>>) =>
  probeOpcua(opcuaSettings(port, more), { guard: guardOf(port), dataDir: dir.path });
const provide = (recorder: Recorder, settings: ConnectionOf<'opcua'>) => {
  const log = createLogger('test', () => undefined);
  const parts = { project: 'line', sink: recorder, log, guard: guardOf(settings.port), dataDir: dir.path };
  const provider = createOpcuaProvider({ ...settings, id: 'plc' }, parts);
  return Object.assign(provider, { [Symbol.asyncDispose]: () => provider.close() });
};
const GOOD = /^OPC UA server "Filler controller", \d+ ms$/;

describe('an open server', () => {
  let peer: OpcuaPeer;
  let trap: { port: number; connections: number; close: () => Promise<void> };

  beforeAll(async () => {
    trap = await listen();
    const advertised = [`opc.tcp://127.0.0.1:${trap.port}`, `opc.tcp://localhost:${trap.port}/UA`];
    peer = await startOpcuaPeer(dir.path, { port: await freePort(), ...own, advertised });
  });
  afterAll(async () => {
    await peer.kill();
    await trap.close();
  });

  test.each([
    ['None', 'None'],
    ['None', 'Basic256Sha256'],
    ['Sign', 'Basic256Sha256'],
    ['SignAndEncrypt', 'Basic256Sha256'],
    ['SignAndEncrypt', 'Aes128_Sha256_RsaOaep'],
    ['SignAndEncrypt', 'Aes256_Sha256_RsaPss'],
  ] as const)('mode %s with policy %s works with its certificate trusted', async (securityMode, securityPolicy) => {
    const result = await probe(peer.port, { securityMode, securityPolicy, trustedCertificates: other.pem + own.pem });
    expect(result).toMatchObject({ ok: true, text: expect.stringMatching(GOOD) });
  });

  test.each(['Sign', 'SignAndEncrypt'] as const)(
    'mode %s is refused with both thumbprints when nothing is trusted',
    async (securityMode) => {
      const { fingerprint, fingerprint256 } = new X509Certificate(own.pem);
      const result = await probe(peer.port, { securityMode });
      expect(result.ok).toBe(false);
      expect(result.text).toContain(`is not trusted (SHA-1 ${fingerprint}, SHA-256 ${fingerprint256})`);
    },
  );

  test('the certificate of another server is not accepted', async () => {
    expect(await probe(peer.port, { trustedCertificates: other.pem })).toMatchObject({
      ok: false,
      text: expect.stringContaining('is not trusted'),
    });
  });

  test('a security mode that the server does not offer is refused with a list of the offered modes', async () => {
    const result = await probe(peer.port, { securityMode: 'Sign', securityPolicy: 'None' });
    expect(result).toMatchObject({
      ok: false,
      text: 'securityPolicy: expected one other than None with the mode Sign',
    });
  });

  test('addresses that the server reports for itself are never dialled', async () => {
    for (const securityMode of ['None', 'SignAndEncrypt'] as const) {
      const recorder = new Recorder();
      await using provider = provide(
        recorder,
        opcuaSettings(peer.port, { securityMode, trustedCertificates: own.pem }),
      );
      provider.configure([opcuaTag('Byte')]);
      await until('values arrive', () => recorder.good('Byte'));
      await provider.write(opcuaTag('Byte'), 7, AbortSignal.timeout(8_000));
      await until('the written value is back', () => recorder.value('Byte') === 7);
      await provider.write(opcuaTag('Byte'), 200, AbortSignal.timeout(8_000));
    }
    expect(trap.connections).toBe(0);
  });

  test('an address of this machine that is not allowed is refused before anything is dialled', async () => {
    const result = await probeOpcua(opcuaSettings(trap.port), { guard: new TargetGuard([]), dataDir: dir.path });
    expect(result.text).toMatch(/allow it with the setting/);
    expect(trap.connections).toBe(0);
  });

  test.each(['None', 'Sign'] as const)(
    'a user name is refused with mode %s, before anything is dialled',
    async (securityMode) => {
      const settings = { securityMode, trustedCertificates: own.pem, user: 'line', password: 'not-in-clear' };
      const result = await probe(trap.port, settings);
      expect(result.text).toBe(
        `securityMode: expected SignAndEncrypt with a user name, because ${securityMode} does not encrypt the password`,
      );
      expect(trap.connections).toBe(0);
    },
  );
});

test('user name and password are required and checked, and a server that returns with another certificate is not trusted', async () => {
  const port = await freePort();
  const users = { line: 'right' };
  const [peer, changed] = await Promise.all([
    startOpcuaPeer(dir.path, { port, ...own, users }),
    startOpcuaPeer(dir.path, { port, ...other, users, standby: true }),
  ]);
  await using _peer = peer;
  await using _changed = changed;
  const trusted = { trustedCertificates: own.pem };
  const anonymous = await probe(port, trusted);
  expect(anonymous.text).toBe(`127.0.0.1:${port} admits no anonymous users; expected a user name`);
  const wrong = await probe(port, { ...trusted, user: 'line', password: 'wrong-secret' });
  expect(wrong).toMatchObject({ ok: false, text: `127.0.0.1:${port} answered BadUserAccessDenied` });

  const recorder = new Recorder();
  await using provider = provide(recorder, opcuaSettings(port, { ...trusted, user: 'line', password: 'right' }));
  provider.configure([opcuaTag('Byte')]);
  await until('it is good', () => recorder.good('Byte'));
  await peer.kill();
  await changed.listen();
  const untrusted = () => recorder.reason('Byte').includes('is not trusted');
  await until('the new certificate is refused', untrusted, { timeoutMs: 30_000 });
  expect(recorder.reason('Byte')).toContain(new X509Certificate(other.pem).fingerprint256);
  expect(recorder.good('Byte')).toBe(false);
});

async function listen() {
  const trap = { port: 0, connections: 0, close: async () => undefined as void };
  const server = createServer((socket) => {
    trap.connections++;
    socket.destroy();
  }).listen(0);
  await once(server, 'listening');
  trap.port = (server.address() as AddressInfo).port;
  trap.close = async () => {
    server.close();
    await once(server, 'close');
  };
  return trap;
}

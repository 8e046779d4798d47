import { afterAll, beforeAll, expect, test } from 'vitest';
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { freePort } from '#test/free-port.ts';
import { type PeerCertificate, makeCertificate } from '#test/peers/opcua-certificates.ts';
import { type OpcuaPeer, startOpcuaPeer } from '#test/peers/opcua-peer.ts';
import { Recorder, opcuaSettings, opcuaTag } from '#test/peers/opcua-tags.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { ANSWER_MS_MAX, KEEP_ALIVE_MS, WRITES_IN_FLIGHT_MAX } from './limits.ts';
import { probeOpcua } from './probe.ts';
import { createOpcuaProvider } from './provider.ts';

const dir = dirPerFile();
let port: number;
let peer: OpcuaPeer;
let standby: OpcuaPeer;
let certificate: PeerCertificate;

beforeAll(async () => {
  port = await freePort();
  certificate = await makeCertificate(dir.path, 'server');
  const start = (more: { standby: boolean }) => startOpcuaPeer(dir.path, { port, ...certificate, ...more });
  [peer, standby] = await Promise.all([start({ standby: false }), start({ standby: true })]);
});
afterAll(() => Promise.all([peer.kill(), standby.kill()]));

const guardOf = (port: number) => new TargetGuard([`127.0.0.1:${port}`]);
const provide = (recorder: Recorder, port: number) => {
  const settings = { ...opcuaSettings(port, { trustedCertificates: certificate.pem }), id: 'plc' };
  const log = createLogger('test', () => undefined);
  const parts = { project: 'line', sink: recorder, log, guard: guardOf(port), dataDir: dir.path };
  const provider = createOpcuaProvider(settings, parts);
  return Object.assign(provider, { [Symbol.asyncDispose]: () => provider.close() });
};
const ownSockets = () => process.getActiveResourcesInfo().filter((kind) => /TCPSocket|TCPConnect/.test(kind)).length;

test('a killed server is lost at once, and its values are good again when it returns', async () => {
  const recorder = new Recorder();
  await using provider = provide(recorder, port);
  provider.configure([opcuaTag('Byte'), opcuaTag('Double')]);
  await until('both are good', () => recorder.good('Byte') && recorder.good('Double'));
  const killed = performance.now();
  await peer.kill();
  await until('both are lost', () => !recorder.good('Byte') && !recorder.good('Double'));
  expect(performance.now() - killed).toBeLessThan(KEEP_ALIVE_MS);
  expect(recorder.losses.at(-1)?.paths).toEqual(['Byte', 'Double']);
  expect(recorder.losses.at(-1)?.reason).toMatch(/^127\.0\.0\.1:\d+ (?:ended the connection|refuses connections)$/);
  const write = provider.write(opcuaTag('Byte'), 1, AbortSignal.timeout(1_000));
  await expect(write).rejects.toMatchObject({ code: 'device_unreachable' });
  peer = standby;
  await peer.listen();
  await until('both are good again', () => recorder.good('Byte') && recorder.good('Double'), { timeoutMs: 30_000 });
  peer.set({ id: 'Byte', value: 3 });
  await until('changes arrive', () => recorder.value('Byte') === 3);
});

test('a server that hangs with an open socket is lost within the keep-alive, fails a write, and is found again', async () => {
  const recorder = new Recorder();
  await using provider = provide(recorder, port);
  provider.configure([opcuaTag('Byte')]);
  await until('it is good', () => recorder.good('Byte'));
  await provider.write(opcuaTag('Byte'), 8, AbortSignal.timeout(5_000));
  peer.hang(true);
  const hung = performance.now();
  const write = provider.write(opcuaTag('Byte'), 9, AbortSignal.timeout(20_000)).catch((error: unknown) => error);
  await until('it is lost', () => !recorder.good('Byte'), { timeoutMs: 20_000 });
  expect(performance.now() - hung).toBeLessThan(KEEP_ALIVE_MS + ANSWER_MS_MAX + 2_000);
  expect(recorder.reason('Byte')).toBe(`no answer from 127.0.0.1:${port} within ${ANSWER_MS_MAX} ms`);
  expect(await write).toMatchObject({ code: 'device_unreachable', message: recorder.losses.at(-1)?.reason });
  peer.hang(false);
  await until('it is good again', () => recorder.good('Byte'), { timeoutMs: 30_000 });
});

test('a write that its run cancels ends at once, and closing a hung server leaves no socket', async () => {
  const recorder = new Recorder();
  const provider = provide(recorder, port);
  provider.configure([opcuaTag('Byte')]);
  await until('it is good', () => recorder.good('Byte'));
  peer.hang(true);
  const others = Array.from({ length: WRITES_IN_FLIGHT_MAX - 1 }, () =>
    provider.write(opcuaTag('Byte'), 1, AbortSignal.timeout(20_000)),
  );
  const over = Promise.allSettled(others);
  const run = new AbortController();
  const write = provider.write(opcuaTag('Byte'), 9, run.signal);
  const tooMany = provider.write(opcuaTag('Byte'), 9, run.signal);
  await expect(tooMany).rejects.toMatchObject({
    code: 'tag_write_failed',
    message: expect.stringMatching(/^more than 100/),
  });
  const reason = new Error('the run was ended');
  run.abort(reason);
  await expect(write).rejects.toBe(reason);
  await provider.close();
  await until('no socket is left', () => ownSockets() === 0, { timeoutMs: 1_000 });
  for (const one of await over) expect(one).toMatchObject({ reason: { code: 'device_unreachable' } });
  peer.hang(false);
});

test('closing while a hung server is being dialled leaves no socket', async () => {
  peer.hang(true);
  const provider = provide(new Recorder(), port);
  provider.configure([opcuaTag('Byte')]);
  await until('it was dialled', () => ownSockets() > 0);
  await provider.close();
  await until('no socket is left', () => ownSockets() === 0, { timeoutMs: 1_000 });
  peer.hang(false);
});

/** A TCP peer that is not an OPC UA server; `answer` is called with each connection. */
async function stranger(
  answer: (socket: Socket) => void,
): Promise<AsyncDisposable & { port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    answer(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, sockets, [Symbol.asyncDispose]: close };
}

test.each([
  ['speaks HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['answers with an endless length', Buffer.from([0x41, 0x43, 0x4b, 0x46, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0])],
  ['closes', null],
])('a peer that %s is reported and has no other effect', async (_what, bytes) => {
  await using peer = await stranger(
    (socket) => void socket.on('data', () => (bytes === null ? socket.destroy() : socket.end(bytes))),
  );
  const result = await probeOpcua(opcuaSettings(peer.port), { guard: guardOf(peer.port), dataDir: dir.path });
  expect(result).toMatchObject({ ok: false });
  expect(result.text).toContain(`127.0.0.1:${peer.port}`);
  await until('its sockets are closed', () => peer.sockets.size === 0);
});

test('closing while the peer is silent in the handshake leaves nothing open', async () => {
  await using peer = await stranger((socket) => void socket.resume());
  const provider = provide(new Recorder(), peer.port);
  provider.configure([opcuaTag('Byte')]);
  await until('the connection was begun', () => peer.sockets.size > 0);
  const begin = performance.now();
  await provider.close();
  expect(performance.now() - begin).toBeLessThan(4_000);
  await until('its socket is closed', () => peer.sockets.size === 0);
});

test('closing at any moment of connecting logs nothing', async () => {
  for (const ms of [0, 1, 5, 10, 20, 40, 80, 160]) {
    const provider = provide(new Recorder(), port);
    provider.configure([opcuaTag('Byte')]);
    await sleep(ms);
    await provider.close();
  }
  const result = await probeOpcua(opcuaSettings(port, { securityMode: 'None' }), {
    guard: guardOf(port),
    dataDir: dir.path,
  });
  expect(result.text).toMatch(/^OPC UA server "Filler controller", \d+ ms$/);
});

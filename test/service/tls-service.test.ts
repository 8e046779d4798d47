import { connect, type TLSSocket } from 'node:tls';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CertificateFacts } from '#common/model/certificate.ts';
import { call } from '#test/raw-request.ts';
import { startService, type TestService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { testCertificate } from '#test/test-certificate.ts';
import { freePort } from '#test/free-port.ts';

interface Settings {
  tls: string;
  plainHttpPort: number | null;
  certificate: CertificateFacts | null;
}

const settingsOf = (service: TestService) => service.admin.ok<Settings>('GET', '/settings');
const alarmCodes = async (service: TestService) => (await service.status()).alarms.map(({ code }) => code);

/** The certificate of a new connection; its trust is not checked. */
async function shownNow(port: number): Promise<string> {
  const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  const shown = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
  socket.destroy();
  return shown;
}

test(
  'TLS is turned on, renewed, switched to a customer certificate and reported, from the settings to the wire',
  { timeout: 120_000 },
  async () => {
    const folder = await tempDir('sluice-tls-');
    const gatewayPort = await freePort();
    const flags = ['--gateway-port', String(gatewayPort)];
    const custom = await testCertificate();
    let first = await startService(flags, { dataDir: folder.path });
    await first.setUp();
    expect(first.ready.gateway).toBe(`http://127.0.0.1:${gatewayPort}`);
    expect(await alarmCodes(first)).toContain('keys_readable');

    await first.admin.ok('PATCH', '/settings', { tls: 'own' });
    const { certificate } = await settingsOf(first);
    expect(certificate?.missing).toEqual([]);
    expect(await shownNow(gatewayPort)).toBe(certificate?.fingerprint);
    expect(await alarmCodes(first)).not.toContain('keys_readable');
    expect(await first.admin.ok('GET', '/routes')).toMatchObject({ address: expect.stringMatching(/^https:/) });

    const made = await first.admin.ok<CertificateFacts>('POST', '/settings/certificate');
    expect(made.fingerprint).not.toBe(certificate?.fingerprint);
    expect(await shownNow(gatewayPort)).toBe(made.fingerprint);

    const plainHttpPort = await freePort();
    await first.admin.ok('PATCH', '/settings', { plainHttpPort });
    expect((await call(plainHttpPort, { path: '/nothing' })).status).toBe(404);
    const plain = (await first.status()).alarms.find(({ code }) => code === 'keys_readable');
    expect(plain?.text).toContain(`Port ${plainHttpPort} uses plain HTTP`);
    const taken = await first.admin.request('PATCH', '/settings', {
      plainHttpPort: Number(new URL(first.ready.ui).port),
    });
    expect(taken.status).toBe(409);
    expect((await settingsOf(first)).plainHttpPort).toBe(plainHttpPort);
    expect((await call(plainHttpPort, { path: '/nothing' })).status).toBe(404);

    expect(await first.stop()).toBe(0);
    first = await startService(flags, { dataDir: folder.path });
    await first.admin.logIn('admin', 'a long enough pass phrase');
    expect(first.ready.gateway).toBe(`https://127.0.0.1:${gatewayPort}`);
    expect(await shownNow(gatewayPort)).toBe(made.fingerprint);
    expect((await call(plainHttpPort, { path: '/nothing' })).status).toBe(404);

    await first.admin.ok('PATCH', '/settings', {
      tls: 'custom',
      tlsCertificate: custom.certificate,
      tlsKey: custom.key,
      plainHttpPort: null,
    });
    expect(await shownNow(gatewayPort)).toBe((await settingsOf(first)).certificate?.fingerprint);
    await expect(call(plainHttpPort, { path: '/nothing' })).rejects.toThrow('ECONNREFUSED');
    const answered = JSON.stringify([await settingsOf(first), await first.admin.ok('GET', '/audit?limit=1000')]);
    const log = first.log();
    expect(await first.stop()).toBe(0);

    const lines = custom.key.split('\n').filter((line) => line.length > 20);
    const files = await readdir(folder.path, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
    );
    for (const line of lines) for (const text of [answered, log, ...texts]) expect(text.includes(line)).toBe(false);
    await folder.remove();
  },
);

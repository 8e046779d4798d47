import { expect, test } from 'vitest';
import { X509Certificate } from 'node:crypto';
import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '#test/temp-dir.ts';
import { loadIdentity } from './identity.ts';
import { loadOpcua } from './library.ts';

const NOW = Date.now();
const YEAR_MS = 365 * 86_400_000;

test('an identity is created once, privately, and is the same for all concurrent and later requests', async () => {
  await using dir = await tempDir();
  const opcua = await loadOpcua();
  const asked = await Promise.all([1, 2, 3].map(() => loadIdentity(opcua, dir.path, NOW)));
  const later = await loadIdentity(opcua, dir.path, NOW);
  for (const one of asked) expect(one).toEqual(later);
  const folder = join(dir.path, 'opcua');
  expect((await readdir(folder)).toSorted()).toEqual(['client-certificate.pem', 'client-key.pem']);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, 'client-key.pem'))).mode & 0o777).toBe(0o600);
  const certificate = new X509Certificate(later.certificate);
  expect(certificate.subjectAltName).toBe(`URI:${later.applicationUri}`);
  expect(later.applicationUri).toMatch(/^urn:sluice:gateway:[\da-f-]{36}$/);
});

test('a missing certificate is created again for the same key, and an expired one is never replaced', async () => {
  await using dir = await tempDir();
  const opcua = await loadOpcua();
  const first = await loadIdentity(opcua, dir.path, NOW);
  await rm(join(dir.path, 'opcua', 'client-certificate.pem'));
  const second = await loadIdentity(opcua, dir.path, NOW);
  expect(second.key).toBe(first.key);
  expect(second.certificate.equals(first.certificate)).toBe(false);
  await expect(loadIdentity(opcua, dir.path, NOW + 21 * YEAR_MS)).rejects.toMatchObject({
    code: 'opcua_identity',
    message: expect.stringContaining('has expired'),
  });
});

test('a key that others may read, that is damaged or that does not match the certificate is refused', async () => {
  await using dir = await tempDir();
  const opcua = await loadOpcua();
  await loadIdentity(opcua, dir.path, NOW);
  const key = join(dir.path, 'opcua', 'client-key.pem');
  await chmod(key, 0o644);
  await expect(loadIdentity(opcua, dir.path, NOW)).rejects.toThrow('can be read by others');
  await using other = await tempDir();
  await writeFile(key, (await loadIdentity(opcua, other.path, NOW)).key);
  await chmod(key, 0o600);
  await expect(loadIdentity(opcua, dir.path, NOW)).rejects.toThrow('do not belong together');
  await writeFile(key, 'nothing');
  await expect(loadIdentity(opcua, dir.path, NOW)).rejects.toMatchObject({ code: 'opcua_identity' });
});

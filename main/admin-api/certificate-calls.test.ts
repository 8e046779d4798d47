import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { testCertificate } from '#test/test-certificate.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest();

const read = async () => (await admin.send('GET', '/settings')).body;
const fingerprintNow = async () => ((await read())['certificate'] as { fingerprint: string } | null)?.fingerprint;

async function download(): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const answer = await fetch(`${harness.base}/api/v1/settings/certificate.cer`, { headers: admin.headers });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

test('TLS with its own certificate creates one, keeps the key in the vault and shows the view of callers', async () => {
  expect((await read())['certificate']).toBeNull();
  expect((await download()).status).toBe(404);
  const { status, body } = await admin.send('PATCH', '/settings', { tls: 'own' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    tls: 'own',
    tlsCertificate: null,
    tlsKey: null,
    certificate: { kind: 'own', missing: [] },
  });
  const { headers, bytes } = await download();
  expect(headers.get('content-type')).toMatch('application/pkix-cert');
  expect(headers.get('content-disposition')).toContain('sluice.cer');
  expect(new X509Certificate(bytes).fingerprint256).toBe(await fingerprintNow());
  const key = harness.vault.read((db) => db.exec("SELECT value FROM secrets WHERE ref = 'tls:own-key'"))[0]
    ?.values[0]?.[0];
  const line = String(key).split('\n')[1] ?? '';
  expect(line.length).toBeGreaterThan(40);
  const written = JSON.stringify([body, await read(), harness.audit.rows, harness.logged]);
  expect(written).not.toContain(line);
});

test('turning it off and on again, and other changes, keep the certificate', async () => {
  await admin.send('PATCH', '/settings', { tls: 'own' });
  const first = await fingerprintNow();
  await admin.send('PATCH', '/settings', { tls: 'off' });
  expect(await fingerprintNow()).toBe(first);
  await admin.send('PATCH', '/settings', { tls: 'own', journalDays: 30 });
  expect(await fingerprintNow()).toBe(first);
});

test('a new certificate is created on request, reaches the gateway and is in the journal by its fingerprint', async () => {
  const viewer = await harness.personWith(admin, 'view', 'run_pipelines', 'edit_pipelines');
  expect((await viewer.send('POST', '/settings/certificate')).body['code']).toBe('permission_missing');
  await admin.send('PATCH', '/settings', { tls: 'own' });
  const first = await fingerprintNow();
  const changes = harness.gateway.changes.length;
  const { status, body } = await admin.send('POST', '/settings/certificate');
  expect(status).toBe(200);
  expect(body['fingerprint']).not.toBe(first);
  expect(await fingerprintNow()).toBe(body['fingerprint']);
  expect(harness.gateway.changes).toHaveLength(changes + 1);
  expect(harness.audit.rows.at(-1)).toMatchObject({
    act: 'certificate.make',
    status: 200,
    detail: `SHA-256 ${String(body['fingerprint'])}`,
  });
});

test('one can be created before TLS is turned on, so that controllers have it in time', async () => {
  const { body } = await admin.send('POST', '/settings/certificate');
  expect(harness.gateway.changes).toEqual([]);
  expect(await fingerprintNow()).toBe(body['fingerprint']);
  await admin.send('PATCH', '/settings', { tls: 'own' });
  expect(await fingerprintNow()).toBe(body['fingerprint']);
});

test('a certificate that the gateway refuses is not saved', async () => {
  await admin.send('PATCH', '/settings', { tls: 'own' });
  const first = await fingerprintNow();
  harness.gateway.refusal = new SluiceError('conflict', 'no');
  expect((await admin.send('POST', '/settings/certificate')).status).toBe(409);
  harness.gateway.refusal = null;
  expect(await fingerprintNow()).toBe(first);
});

test('a customer certificate is served with its key, which is never shown again', async () => {
  const { certificate, key } = await testCertificate();
  const { status, body } = await admin.send('PATCH', '/settings', {
    tls: 'custom',
    tlsCertificate: certificate,
    tlsKey: key,
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    tlsKey: { set: true },
    certificate: { kind: 'custom', subject: 'CN=edge-7, O=Sluice' },
  });
  expect(new X509Certificate((await download()).bytes).fingerprint256).toBe(
    new X509Certificate(certificate).fingerprint256,
  );
  const { overridden: _, ...fields } = await read();
  expect((await admin.send('PATCH', '/settings', fields)).status).toBe(200);
  expect(harness.deps.settings.current().tlsKey).toBe(key);
  const written = JSON.stringify([body, await read(), harness.audit.rows, harness.logged]);
  // The secret number is in the first two lines of Base64. The third is part of the public key, which is shown.
  for (const line of key.split('\n').slice(1, 3)) expect(written).not.toContain(line);
});

test('a key among the certificates, a mismatched one and an expired certificate are refused by their fields', async () => {
  const { certificate, key } = await testCertificate();
  const other = await testCertificate();
  const old = await testCertificate(Date.parse('2001-01-01T00:00:00Z'));
  const fault = async (patch: object) => {
    const { status, body } = await admin.send('PATCH', '/settings', { tls: 'custom', ...patch });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toContain(key.split('\n')[1]);
    return (body['errors'] as { path: string }[])[0]?.path;
  };
  expect(await fault({ tlsCertificate: certificate + key, tlsKey: key })).toBe('tlsCertificate');
  expect(await fault({ tlsCertificate: certificate, tlsKey: other.key })).toBe('tlsKey');
  expect(await fault({ tlsCertificate: old.certificate, tlsKey: old.key })).toBe('tlsCertificate');
  expect(await fault({ tlsCertificate: certificate })).toBe('tlsKey');
  // It is not checked while TLS is off, and the certificate is shown to everyone who can read the settings.
  expect(await fault({ tls: 'off', tlsCertificate: certificate + key })).toBe('tlsCertificate');
  expect((await read())['tlsCertificate']).toBeNull();
});

test('a customer certificate that has expired does not block changes of other settings', async () => {
  const old = await testCertificate(Date.parse('2001-01-01T00:00:00Z'));
  await harness.deps.settings.change({ tls: 'custom', tlsCertificate: old.certificate, tlsKey: old.key }, 'anna');
  expect((await admin.send('PATCH', '/settings', { journalDays: 31 })).status).toBe(200);
});

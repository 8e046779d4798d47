import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { testCertificate, type TestCertificate } from '#test/test-certificate.ts';
import { certificateFacts } from './certificate-facts.ts';
import { chainFaults, dateFaults, readChain } from './read-chain.ts';

let one: TestCertificate;
let other: TestCertificate;

beforeAll(async () => {
  one = await testCertificate();
  other = await testCertificate();
});

const faults = (certificate: string, key: string) => chainFaults(certificate, key);

test('a certificate and its key are accepted, whatever a tool wrote around them', () => {
  expect(faults(one.certificate, one.key)).toEqual([]);
  expect(faults(`subject=CN = edge-7\r\n${one.certificate.replaceAll('\n', '\r\n')}`, one.key)).toEqual([]);
});

test('names certificates that cannot be read, do not belong together or are in another order', () => {
  expect(faults('x', one.key)).toMatchObject([
    { path: 'tlsCertificate', message: expect.stringContaining('cannot be read') },
  ]);
  expect(faults(one.certificate.replace('-----END', '-----and'), one.key)).toMatchObject([{ path: 'tlsCertificate' }]);
  expect(faults(one.certificate, 'my-private-key')).toMatchObject([
    { path: 'tlsKey', message: expect.stringContaining('cannot be read') },
  ]);
  expect(faults(one.certificate, other.key)).toMatchObject([
    { path: 'tlsKey', message: 'does not belong to tlsCertificate' },
  ]);
  expect(faults(other.certificate + one.certificate, one.key)).toMatchObject([
    { path: 'tlsCertificate', message: expect.stringContaining('another order') },
  ]);
  expect(faults(one.certificate + other.certificate, one.key)).toMatchObject([
    { path: 'tlsCertificate', message: expect.stringContaining('certificate 2 that did not issue') },
  ]);
  expect(faults(one.certificate.repeat(11), one.key)).toMatchObject([
    { path: 'tlsCertificate', message: expect.stringContaining('at most 10') },
  ]);
});

test('a key with a passphrase is reported, and no key is ever quoted', () => {
  const sealed = createPrivateKey(one.key).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'p',
  });
  expect(faults(one.certificate, sealed.toString())).toMatchObject([
    { path: 'tlsKey', message: 'cannot be read; expected a PEM private key without a passphrase' },
  ]);
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  expect(JSON.stringify(faults(one.certificate, weak.toString()))).not.toContain(weak.toString().slice(40, 80));
});

test('an expired one or one that is not yet valid is reported with its date', async () => {
  const now = Date.parse('2030-06-15T12:00:00Z');
  expect(dateFaults((await testCertificate(now)).certificate, now)).toEqual([]);
  expect(dateFaults((await testCertificate(Date.parse('2020-06-01T12:00:00Z'))).certificate, now)).toMatchObject([
    { path: 'tlsCertificate', message: 'ended on 2030-06-01; expected a certificate that is valid' },
  ]);
  expect(dateFaults((await testCertificate(Date.parse('2030-07-01T12:00:00Z'))).certificate, now)).toMatchObject([
    { message: expect.stringContaining('begins on 2030-06-30') },
  ]);
});

test('a certificate of Sluice names the machine, is not a certificate authority and is valid for ten years', () => {
  const [read] = readChain(one.certificate);
  expect(read?.ca).toBe(false);
  expect(read?.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(read?.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' });
  const years = ((read?.validToDate.getTime() ?? 0) - Date.now()) / (365.25 * 86_400_000);
  expect(years).toBeGreaterThan(9.9);
  expect(read?.checkHost('edge-7')).toBe('edge-7');
  expect(read?.checkIP('127.0.0.1')).toBe('127.0.0.1');
});

test('facts list its names and the names of the machine that it lacks', () => {
  const wanted = { hosts: ['edge-7', 'edge-8'], addresses: ['::1', '10.0.0.7'] };
  expect(certificateFacts(one.certificate, 'own', wanted)).toMatchObject({
    kind: 'own',
    subject: 'CN=edge-7, O=Sluice',
    names: ['localhost', 'edge-7', '127.0.0.1', '::1'],
    missing: ['edge-8', '10.0.0.7'],
    fingerprint: expect.stringMatching(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/),
  });
  expect(certificateFacts('x', 'own', null)).toBeNull();
});

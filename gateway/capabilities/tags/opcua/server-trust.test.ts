import { beforeAll, describe, expect, test } from 'vitest';
import { X509Certificate } from 'node:crypto';
import { type PeerCertificate, makeCertificate } from '#test/peers/opcua-certificates.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { TRUSTED_CERTIFICATES_MAX } from './limits.ts';
import { trustedCertificatesOf, whyUntrusted } from './server-trust.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();

const dir = dirPerFile();
let server: PeerCertificate;
let twin: PeerCertificate;
let authority: PeerCertificate;
let signed: PeerCertificate;
let signedByServer: PeerCertificate;

beforeAll(async () => {
  const make = (name: string, more = {}) => makeCertificate(dir.path, name, more);
  [server, authority] = await Promise.all([make('server'), make('authority', { ca: true })]);
  [twin, signed, signedByServer] = await Promise.all([
    make('server'),
    make('signed', { issuer: authority }),
    make('impostor', { issuer: server }),
  ]);
});

const der = (certificate: PeerCertificate) => new X509Certificate(certificate.pem).raw;
const why = (certificate: PeerCertificate, trusted: string, more: { host?: string; now?: number } = {}) =>
  whyUntrusted(der(certificate), trustedCertificatesOf(trusted), {
    name: 'plc:4840',
    host: '127.0.0.1',
    now: NOW,
    ...more,
  });

describe('a certificate is trusted', () => {
  test('when it is listed, alone or among others, whatever host it names', () => {
    expect(why(server, server.pem)).toBeNull();
    expect(why(server, `${authority.pem}\n${server.pem}`, { host: 'elsewhere.example' })).toBeNull();
  });

  test('when a listed certificate authority signed it and it names the host, by address or name', () => {
    expect(why(signed, authority.pem)).toBeNull();
    expect(why(signed, authority.pem, { host: 'plant.example' })).toBeNull();
  });
});

describe('a certificate is refused', () => {
  test('when nothing is listed, with both thumbprints', () => {
    const { fingerprint, fingerprint256 } = new X509Certificate(server.pem);
    expect(why(server, '')).toBe(
      `the certificate of plc:4840 is not trusted (SHA-1 ${fingerprint}, SHA-256 ${fingerprint256}); compare these with what the server shows and add its certificate to the trusted certificates`,
    );
  });

  test('when the listed one has the same names and another key', () => {
    expect(why(twin, server.pem)).toContain('is not trusted');
  });

  test('when the listed certificate that signed it is not a certificate authority', () => {
    expect(why(signedByServer, server.pem)).toContain('is not trusted');
  });

  test('when it is signed by a listed authority and names another host', () => {
    expect(why(signed, authority.pem, { host: '10.0.0.9' })).toContain('does not name 10.0.0.9');
    expect(why(signed, authority.pem, { host: 'signed' })).toContain('does not name signed');
  });

  test('outside its validity, listed or signed, and after the validity of its issuer', () => {
    expect(why(server, server.pem, { now: NOW + 400 * DAY_MS })).toContain('is not in force');
    expect(why(server, server.pem, { now: NOW - 2 * DAY_MS })).toContain('is not in force');
    expect(why(signed, authority.pem, { now: NOW + 400 * DAY_MS })).toContain('not in force');
  });

  test('when it cannot be read', () => {
    const at = { name: 'plc:4840', host: '127.0.0.1', now: NOW };
    expect(whyUntrusted(Buffer.alloc(0), [], at)).toBe('plc:4840 sent a certificate that cannot be read');
    expect(whyUntrusted(Buffer.from('30820000', 'hex'), [], at)).toBe(
      'plc:4840 sent a certificate that cannot be read',
    );
  });
});

test('a list with entries other than certificates, or too many, is refused by name', () => {
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
  expect(() => trustedCertificatesOf(broken)).toThrow('trustedCertificates: expected PEM certificates');
  expect(() => trustedCertificatesOf(server.pem.repeat(TRUSTED_CERTIFICATES_MAX + 1))).toThrow('expected at most 50');
  expect(trustedCertificatesOf(null)).toEqual([]);
});

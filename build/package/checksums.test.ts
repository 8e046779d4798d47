import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { SIGNATURE, SUMS, writeChecksums } from './checksums.ts';

/** The commands of the guide (docs/guides/packages.md), with the tools of a PC. */
const folder = dirPerTest(() => tempDir('sluice-sums-'));
beforeEach(() => {
  writeFileSync(at('a.deb'), 'package');
  writeFileSync(at('b.tar.gz'), 'archive');
});

const at = (name: string): string => join(folder.path, name);
const check = (): string =>
  execFileSync('sha256sum', ['-c', SUMS], { cwd: folder.path, encoding: 'utf8', stdio: 'pipe' });
const verify = (): string =>
  execFileSync(
    'openssl',
    ['pkeyutl', '-verify', '-pubin', '-inkey', 'public.pem', '-rawin', '-in', SUMS, '-sigfile', SIGNATURE],
    { cwd: folder.path, encoding: 'utf8', stdio: 'pipe' },
  );

function writeKey(kind: 'ed25519' | 'ec'): string {
  const { publicKey, privateKey } =
    kind === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  writeFileSync(at('public.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(at('private.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return at('private.pem');
}

test('an unsigned build leaves no signature of an earlier one', () => {
  writeChecksums(folder.path, ['a.deb'], writeKey('ed25519'));
  expect(writeChecksums(folder.path, ['b.tar.gz'], undefined)).toBe(false);
  expect([existsSync(at(SUMS)), existsSync(at(SIGNATURE))]).toEqual([true, false]);
});

const tools = process.platform === 'linux' && existsSync('/usr/bin/openssl');

test.skipIf(!tools)('the checksums and their signature pass sha256sum and openssl', () => {
  expect(writeChecksums(folder.path, ['b.tar.gz', 'a.deb'], writeKey('ed25519'))).toBe(true);
  expect(check()).toBe('a.deb: OK\nb.tar.gz: OK\n');
  expect(verify()).toContain('Signature Verified Successfully');
});

test.skipIf(!tools)('a changed package or list is detected', () => {
  writeChecksums(folder.path, ['a.deb', 'b.tar.gz'], writeKey('ed25519'));
  writeFileSync(at('a.deb'), 'another package');
  expect(check).toThrow('1 computed checksum did NOT match');
  writeFileSync(at(SUMS), 'another list');
  expect(verify).toThrow();
});

test('nothing is signed without a key, and a key of another kind is refused', () => {
  expect(writeChecksums(folder.path, ['a.deb'], undefined)).toBe(false);
  expect(existsSync(at(SIGNATURE))).toBe(false);
  expect(() => writeChecksums(folder.path, ['a.deb'], writeKey('ec'))).toThrow('expected an Ed25519 key');
});

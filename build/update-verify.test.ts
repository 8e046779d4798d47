import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { VERSION } from '#common/version.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { SIGNATURE, SUMS, writeChecksums } from './package/checksums.ts';
import { runSluice } from '../main/cli/testing/sluice.ts';
import { compareVersions } from '../main/cli/update/package-name.ts';
import { readUpdateKey } from '../main/cli/update/update-key.ts';
import { verifyUpdate } from '../main/cli/update/verify.ts';

/** Packages as their builder creates them; they are signed like in the build. */
const DEB = 'sluice_1.2.0_amd64.deb';
const HERE = { version: '1.1.9', target: 'linux-x64' };

const dir = dirPerTest();
beforeEach(() => {
  writeKeys('vendor');
  release([DEB]);
});

const at = (name: string): string => join(dir.path, name);
const check = (name = DEB, here = HERE): Promise<string[]> =>
  verifyUpdate(at(name), readUpdateKey(at('vendor.pub')), here);

function writeKeys(name: string): void {
  const pair = generateKeyPairSync('ed25519');
  const pem = (key: KeyObject, type: 'spki' | 'pkcs8') => key.export({ type, format: 'pem' } as never);
  writeFileSync(at(`${name}.pub`), pem(pair.publicKey, 'spki'));
  writeFileSync(at(`${name}.key`), pem(pair.privateKey, 'pkcs8'));
}

function release(names: readonly string[], signer = 'vendor'): void {
  for (const name of names) writeFileSync(at(name), `the package ${name}`);
  writeChecksums(dir.path, names, at(`${signer}.key`));
}

function change(name: string, byte = 3): void {
  const bytes = readFileSync(at(name));
  bytes[byte] = (bytes[byte] ?? 0) ^ 1;
  writeFileSync(at(name), bytes);
}

test('a newer, complete and signed package may be installed', async () => {
  expect(await check()).toEqual([
    expect.stringMatching(/^The signature is valid: SHA256:[0-9a-f]{16}, the key of .*vendor\.pub\.$/),
    `${DEB} matches its checksum.`,
    '1.1.9 → 1.2.0',
  ]);
  expect((await check(DEB, { ...HERE, version: '1.2.0' })).at(-1)).toBe('1.2.0 is already installed.');
  release(['sluice-1.10.0-linux-x64.tar.gz']);
  expect((await check('sluice-1.10.0-linux-x64.tar.gz')).at(-1)).toBe('1.1.9 → 1.10.0');
});

describe('a package is refused', () => {
  test.each<[string, () => void, string]>([
    ['one byte of it was changed', () => change(DEB), 'does not match its signed checksum: its SHA-256 is'],
    ['one byte of the list was changed', () => change(SUMS), 'is not a signature of SHA256SUMS'],
    ['one byte of the signature was changed', () => change(SIGNATURE), 'is not a signature of SHA256SUMS'],
    ['the signature was cut', () => writeFileSync(at(SIGNATURE), 'x'), 'is not a signature of SHA256SUMS'],
    ['there is no signature', () => rmSync(at(SIGNATURE)), 'SHA256SUMS.sig cannot be read: it does not exist'],
    ['there is no list', () => rmSync(at(SUMS)), 'SHA256SUMS cannot be read: it does not exist'],
    [
      'the list is endless',
      () => writeFileSync(at(SUMS), Buffer.alloc(70_000)),
      'is longer than expected: 65536 bytes at most',
    ],
    ['it does not exist', () => rmSync(at(DEB)), 'the package'],
    [
      'somebody else signed it',
      () => {
        writeKeys('stranger');
        release([DEB], 'stranger');
      },
      'by the key SHA256:',
    ],
    ['the list has not its name', () => release(['sluice_1.3.0_amd64.deb']), `does not contain ${DEB}`],
  ])('when %s', async (_, break_, sentence) => {
    break_();
    const refusal = await check().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'PlainError', message: expect.stringContaining(sentence) });
  });

  test('when an older package has a newer name', async () => {
    release(['sluice_1.0.0_amd64.deb']);
    renameSync(at('sluice_1.0.0_amd64.deb'), at(DEB));
    await expect(check()).rejects.toThrow(`does not contain ${DEB}`);
  });

  test('when it is older than the installed version, even if it is signed', async () => {
    await expect(check(DEB, { ...HERE, version: '1.2.1' })).rejects.toThrow(
      `${DEB} is older than the installed version, 1.2.1`,
    );
  });

  test.each(['sluice_1.2.0_arm64.deb', 'sluice-1.2.0-win32-x64.tar.gz'])(
    'when it is for another PC: %s',
    async (name) => {
      release([name]);
      await expect(check(name)).rejects.toThrow(/is for (linux-arm64|win32-x64); this PC is linux-x64/);
    },
  );

  test.each(['sluice.deb', 'other_1.2.0_amd64.deb', 'sluice_1.2_amd64.deb', 'sluice_1.2.0~rc1_amd64.deb'])(
    'when its name is not one of a service package: %s',
    async (name) => {
      release([name]);
      await expect(check(name)).rejects.toThrow('is not the name of a package of the service');
    },
  );
});

describe('the key', () => {
  test('is refused if it is invalid, of another kind, or private', () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' });
    writeFileSync(at('ec.pub'), ec);
    writeFileSync(at('junk.pub'), 'junk');
    expect(() => readUpdateKey(at('ec.pub'))).toThrow('not a public key of Ed25519');
    expect(() => readUpdateKey(at('junk.pub'))).toThrow('not a public key of Ed25519');
    expect(() => readUpdateKey(at('vendor.key'))).toThrow('is a private key');
    expect(() => readUpdateKey(at('none.pub'))).toThrow('cannot be read: it does not exist');
  });

  test('is the first existing one of the PC, and a missing key is a refusal', () => {
    expect(readUpdateKey(undefined, [at('none.pub'), at('vendor.pub')]).from).toBe(at('vendor.pub'));
    expect(() => readUpdateKey(undefined, [at('none.pub')])).toThrow('there is no public key to check updates with');
  });

  test.skipIf(process.platform === 'win32')('of the PC is accepted only if no other user can write to it', () => {
    chmodSync(at('vendor.pub'), 0o664);
    expect(() => readUpdateKey(undefined, [at('vendor.pub')])).toThrow('other users than its owner can write to');
  });
});

test('the command line reports a refusal with one sentence and exit code 1', async () => {
  const [newer, older] = [
    `sluice-99.0.0-${process.platform}-${process.arch}.tar.gz`,
    `sluice-0.0.1-${process.platform}-${process.arch}.tar.gz`,
  ];
  release([newer, older]);
  const run = (name: string) => runSluice(['update', 'verify', at(name), '--public-key', at('vendor.pub')]);
  expect(await run(newer)).toMatchObject({ code: 0, stdout: expect.stringContaining(`${VERSION} → 99.0.0\n`) });
  const refused = await run(older);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toBe(
    `sluice: ${older} is older than the installed version, ${VERSION}: it cannot use the data of the newer version. To go back, run "sluice update rollback" first, or restore a backup that was made with 0.0.1\n`,
  );
});

test('versions are compared numerically', () => {
  expect(['1.10.0', '1.9.9', '1.9.10', '0.99.99'].toSorted(compareVersions)).toEqual([
    '0.99.99',
    '1.9.9',
    '1.9.10',
    '1.10.0',
  ]);
});

test('a development package is older than its release and can be updated to it', async () => {
  const order = ['1.2.0', '1.2.0-dev.1a2b3c4d5e6f', '1.1.9'].toSorted(compareVersions);
  expect(order).toEqual(['1.1.9', '1.2.0-dev.1a2b3c4d5e6f', '1.2.0']);
  const told = await check(DEB, { ...HERE, version: '1.2.0-dev.1a2b3c4d5e6f' });
  expect(told.at(-1)).toBe('1.2.0-dev.1a2b3c4d5e6f → 1.2.0');
});

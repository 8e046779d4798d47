import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { HEADER_BYTES, newVaultId, openImage, sealImage } from './sealed-image.ts';
import { openTestVault } from './testing/open-test-vault.ts';

const secret = randomBytes(32);
const header = { vaultId: newVaultId(), generation: 7, kind: 'file' } as const;
let sealed: Buffer;
let image: Buffer;

/** The image of a new vault, as it is on disk. */
beforeAll(async () => {
  await using dir = await tempDir();
  const vault = await openTestVault(dir.path);
  image = Buffer.from(vault.backupContents().image);
  await vault.close();
  sealed = await sealImage(secret, header, image);
});

const opens = async (file: Uint8Array, key = secret): Promise<boolean> =>
  openImage(key, file).then(
    () => true,
    () => false,
  );

describe('a sealed image', () => {
  test('opens to the content that was sealed', async () => {
    expect(await openImage(secret, sealed)).toEqual({ header, image });
  });

  test('has a new nonce each time', async () => {
    const again = await sealImage(secret, header, image);
    expect(again.subarray(36, HEADER_BYTES).equals(sealed.subarray(36, HEADER_BYTES))).toBe(false);
  });

  test('does not open when it is cut at any byte', { timeout: 120_000 }, async () => {
    const opened: number[] = [];
    for (let length = 0; length < sealed.length; length++) {
      if (await opens(sealed.subarray(0, length))) opened.push(length);
    }
    expect(sealed.length).toBeGreaterThan(10_000);
    expect(opened).toEqual([]);
  });

  test('does not open with any bit of its header or its tag flipped', async () => {
    const opened: number[] = [];
    const ends = [
      ...Array(HEADER_BYTES * 8).keys(),
      ...Array.from({ length: 128 }, (_, bit) => (sealed.length - 16) * 8 + bit),
    ];
    for (const bit of ends) if (await opens(flipped(sealed, bit))) opened.push(bit);
    expect(opened).toEqual([]);
  });

  test('does not open with random bits of its body flipped', async () => {
    const opened: number[] = [];
    for (let round = 0; round < 500; round++) {
      const bit = randomInt(sealed.length * 8);
      if (await opens(flipped(sealed, bit))) opened.push(bit);
    }
    expect(opened).toEqual([]);
  });

  test('does not open with bytes added, nor with another secret', async () => {
    expect(await opens(Buffer.concat([sealed, Buffer.alloc(1)]))).toBe(false);
    expect(await opens(sealed, randomBytes(32))).toBe(false);
  });
});

describe('a damaged vault.db', () => {
  test('is an error that names a way to recover and changes no file', { timeout: 60_000 }, async () => {
    await using dir = await tempDir();
    await (await openTestVault(dir.path)).close();
    const file = join(dir.path, 'vault.db');
    const whole = readFileSync(file);
    const lengths = [0, 1, 8, 27, 47, 48, 63, 64, 65, ...Array.from({ length: 30 }, () => randomInt(whole.length))];
    const damaged = [
      ...lengths.map((length) => whole.subarray(0, length)),
      ...Array.from({ length: 100 }, (_, index) =>
        flipped(whole, index < 50 ? randomInt(HEADER_BYTES * 8) : randomInt(whole.length * 8)),
      ),
    ];
    for (const bytes of damaged) {
      writeFileSync(file, bytes);
      const error: unknown = await openTestVault(dir.path).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(Error);
      expect(String(error)).toMatch(/sluice restore|sluice-secret|keychain cannot be used/);
      expect(readFileSync(file).equals(bytes)).toBe(true);
    }
    writeFileSync(file, whole);
    await (await openTestVault(dir.path)).close();
  });
});

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

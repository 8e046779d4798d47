import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { smallDisk, whyNoDisk } from '#test/mounts.ts';
import { tempDir, type TempDir } from '#test/temp-dir.ts';
import { writeNewFile } from './write-new-file.ts';

let dir: TempDir;
beforeEach(async () => void (dir = await tempDir()));
afterEach(() => dir.remove());

const bytes = (...texts: string[]): Readable => Readable.from(texts.map((text) => Buffer.from(text)));

test('is written whole, for its owner alone, and nothing is left beside it', async () => {
  const file = join(dir.path, 'line.backup');
  await writeNewFile(file, bytes('one ', 'two'));
  expect(readFileSync(file, 'utf8')).toBe('one two');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir.path)).toEqual(['line.backup']);
});

test('never replaces a file, and has its own name only when it is whole', async () => {
  const file = join(dir.path, 'line.backup');
  const source = Readable.from(
    (async function* () {
      yield Buffer.from('first half');
      expect(existsSync(file)).toBe(false);
      throw new Error('the source has ended early');
    })(),
  );
  await expect(writeNewFile(file, source)).rejects.toThrow('the source has ended early');
  expect(readdirSync(dir.path)).toEqual([]);
  writeFileSync(file, 'mine');
  await expect(writeNewFile(file, bytes('x'))).rejects.toMatchObject({
    code: 'conflict',
    message: `${file} could not be written: it is there already; expected a new file.`,
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

test.skipIf(process.getuid?.() === 0)('a folder that is closed to the person is named', async () => {
  const folder = join(dir.path, 'closed');
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  await expect(writeNewFile(join(folder, 'x'), bytes('x'))).rejects.toThrow('this user may not (EACCES)');
});

test.skipIf(whyNoDisk() !== null)('a disk that is full is named, and its part is taken away', async () => {
  await using disk = await smallDisk(2);
  const file = join(disk.path, 'line.backup');
  const large = Readable.from(Array.from({ length: 8 }, () => Buffer.alloc(1024 ** 2, 1)));
  await expect(writeNewFile(file, large)).rejects.toThrow(`${file} could not be written: the disk is full (ENOSPC).`);
  expect(readdirSync(disk.path).filter((name) => name.startsWith('line'))).toEqual([]);
  expect(large.destroyed).toBe(true);
});

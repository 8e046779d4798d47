import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { smallDisk, whyNoDisk } from '#test/mounts.ts';
import { skipped } from '#test/skipped.ts';
import { tempDir, type TempDir } from '#test/temp-dir.ts';
import { writeNewFile } from './write-new-file.ts';

let dir: TempDir;
beforeEach(async () => void (dir = await tempDir()));
afterEach(() => dir.remove());

const bytes = (...texts: string[]): Readable => Readable.from(texts.map((text) => Buffer.from(text)));

test('is written completely, only for its owner, and nothing is left beside it', async () => {
  const file = join(dir.path, 'line.backup');
  await writeNewFile(file, bytes('one ', 'two'));
  expect(readFileSync(file, 'utf8')).toBe('one two');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir.path)).toEqual(['line.backup']);
});

test('never replaces a file, and gets its name only when it is complete', async () => {
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
    message: `${file} could not be written: it already exists; expected a new file.`,
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

/** Number of bytes after which another process takes the name. */
const overtaken = (file: string): Readable =>
  Readable.from(
    (async function* () {
      yield Buffer.from('first half');
      writeFileSync(file, 'somebody else’s');
      yield Buffer.from('second half');
    })(),
  );
const noLinks = () => Promise.reject(Object.assign(new Error('no links here'), { code: 'EPERM' }));

test.each<[string, Parameters<typeof writeNewFile>[2]]>([
  ['with links', undefined],
  ['without links, as on a USB stick', noLinks],
])('a file that another process created under the name in the meantime is kept, on a disk %s', async (_, link) => {
  const file = join(dir.path, 'line.backup');
  await expect(writeNewFile(file, overtaken(file), link)).rejects.toMatchObject({
    code: 'conflict',
    message: `${file} could not be written: it already exists; expected a new file.`,
  });
  expect(readFileSync(file, 'utf8')).toBe('somebody else’s');
  expect(readdirSync(dir.path)).toEqual(['line.backup']);
});

test('is written completely on a disk without links too, and nothing is left beside it', async () => {
  const file = join(dir.path, 'line.backup');
  await writeNewFile(file, bytes('one ', 'two'), noLinks);
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['one two', 0o600]);
  expect(readdirSync(dir.path)).toEqual(['line.backup']);
});

const root = process.getuid?.() === 0 ? 'needs another user than root' : null;

test.skipIf(root !== null)(`a folder that is closed to the user is named${skipped(root)}`, async () => {
  const folder = join(dir.path, 'closed');
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  await expect(writeNewFile(join(folder, 'x'), bytes('x'))).rejects.toThrow('this user has no permission (EACCES)');
});

const noDisk = whyNoDisk();

test.skipIf(noDisk !== null)(`a full disk is named, and the partial file is removed${skipped(noDisk)}`, async () => {
  await using disk = await smallDisk(2);
  const file = join(disk.path, 'line.backup');
  const large = Readable.from(Array.from({ length: 8 }, () => Buffer.alloc(1024 ** 2, 1)));
  await expect(writeNewFile(file, large)).rejects.toThrow(`${file} could not be written: the disk is full (ENOSPC).`);
  expect(readdirSync(disk.path).filter((name) => name.startsWith('line'))).toEqual([]);
  expect(large.destroyed).toBe(true);
});

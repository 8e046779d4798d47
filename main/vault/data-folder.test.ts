import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { dirPerTest } from '#test/test-dir.ts';
import { claimDataFolder } from './data-folder.ts';

const dir = dirPerTest();
let folder: string;
beforeEach(async () => {
  folder = join(dir.path, 'data');
  await mkdir(folder);
});

const modeOf = async (): Promise<string> => ((await stat(folder)).mode & 0o7777).toString(8);

test.each([['755'], ['1777'], ['750']])(
  'a folder of mode %s with other files is refused and left as it is',
  async (mode) => {
    await writeFile(join(folder, 'theirs'), 'x');
    await chmod(folder, parseInt(mode, 8));
    expect(() => claimDataFolder(folder)).toThrow(/holds files that are not Sluice's .* expected an empty folder/);
    expect([await modeOf(), await readdir(folder)]).toEqual([mode, ['theirs']]);
  },
);

test.each([
  ['an empty one', []],
  ['the top of a file system of its own', ['lost+found']],
  ['Sluice’s own, with whatever else is in it', ['vault.db', 'notes.txt']],
])('%s is taken, for its owner alone', async (_what, names) => {
  for (const name of names) await writeFile(join(folder, name), '');
  await chmod(folder, 0o755);
  claimDataFolder(folder).release();
  expect(await modeOf()).toBe('700');
});

test('one that is closed to others already is taken with whatever is in it', async () => {
  await writeFile(join(folder, 'certificate.pem'), '');
  await chmod(folder, 0o700);
  claimDataFolder(folder).release();
  expect(await readdir(folder)).toContain('lock.sqlite');
});

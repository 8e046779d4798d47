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
  'a folder of mode %s with other files is refused and left unchanged',
  async (mode) => {
    await writeFile(join(folder, 'theirs'), 'x');
    await chmod(folder, parseInt(mode, 8));
    expect(() => claimDataFolder(folder)).toThrow(/holds files that are not Sluice's .* expected an empty folder/);
    expect([await modeOf(), await readdir(folder)]).toEqual([mode, ['theirs']]);
  },
);

test.each([
  ['an empty one', []],
  ['the root of a separate file system', ['lost+found']],
  ['Sluice’s own, with whatever else is in it', ['vault.db', 'notes.txt']],
])('%s is accepted, only for its owner', async (_what, names) => {
  for (const name of names) await writeFile(join(folder, name), '');
  await chmod(folder, 0o755);
  claimDataFolder(folder).release();
  expect(await modeOf()).toBe('700');
});

test('a folder that is already closed to others is accepted with any content', async () => {
  await writeFile(join(folder, 'certificate.pem'), '');
  await chmod(folder, 0o700);
  claimDataFolder(folder).release();
  expect(await readdir(folder)).toContain('lock.sqlite');
});

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { skipped } from '#test/skipped.ts';
import { tempDir, type TempDir } from '#test/temp-dir.ts';
import { entryAt } from './entry-at.ts';
import { PlainError } from './plain-error.ts';

let dir: TempDir;
beforeEach(async () => (dir = await tempDir()));
afterEach(() => dir.remove());

test('a missing entry is undefined, an existing one is returned', async () => {
  expect(entryAt(join(dir.path, 'nothing', 'vault.db'))).toBeUndefined();
  expect(entryAt(dir.path)?.isDirectory()).toBe(true);
});

test.each([
  [
    'below a file',
    'file/data/vault.db',
    /file\/data\/vault\.db cannot be accessed: a part of its path is not a folder$/,
  ],
  ['with a name that no file can have', 'x'.repeat(300), /cannot be accessed: the system says ENAMETOOLONG$/],
])('a path %s gets one plain sentence', async (_what, path, sentence) => {
  await writeFile(join(dir.path, 'file'), '');
  const look = () => entryAt(join(dir.path, path), { ofLink: true });
  expect(look).toThrow(sentence);
  expect(look).toThrow(PlainError);
});

const noRoot = process.getuid?.() === 0 ? null : 'needs root: it continues as another user';

test.skipIf(noRoot !== null)(
  `a folder that this user may not enter gets advice on how to run the command${skipped(noRoot)}`,
  async () => {
    const closed = join(dir.path, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await chmod(dir.path, 0o755);
    // Loaded as root: another user may not read the checkout.
    const code = `
    import { entryAt } from ${JSON.stringify(new URL('./entry-at.ts', import.meta.url).href)};
    process.setgroups([]); process.setgid(65534); process.setuid(65534);
    try { entryAt(${JSON.stringify(join(closed, 'vault.db'))}); } catch (error) { console.log(error.message); }`;
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
    expect(said.trim()).toMatch(
      /this user has no permission \(EACCES\); run the command with sudo, or as the owner of the folder/,
    );
  },
);

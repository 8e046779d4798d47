import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#test/paths.ts';
import { skipped } from '#test/skipped.ts';
import { tempDir } from '#test/temp-dir.ts';

/** A separate mount namespace in which a folder can be read-only, even for root. */
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && exec "$@"';
const noMount = spawnSync('unshare', ['-m', 'true']).status === 0 ? null : 'needs root: it mounts a folder read-only';

/** The output of building the UI in a read-only checkout. `page`: whether one was built before. */
async function buildReadOnly(page: boolean) {
  await using folder = await tempDir();
  const put = (file: string, text = '') => writeFileSync(join(folder.path, file), text);
  for (const name of ['build', 'common', 'renderer', 'renderer/dist', 'node_modules'])
    mkdirSync(join(folder.path, name));
  for (const file of ['build/ui.ts', 'build/stale.ts']) cpSync(join(ROOT, file), join(folder.path, file));
  if (page) put('renderer/dist/index.html');
  if (page) utimesSync(join(folder.path, 'renderer/dist/index.html'), 0, 0);
  put('package.json', '{"type":"module"}');
  put('package-lock.json');
  symlinkSync(join(ROOT, 'node_modules/vite'), join(folder.path, 'node_modules/vite'));
  const program = [process.execPath, 'build/ui.ts', '--if-stale'];
  const built = spawnSync('unshare', ['-m', 'sh', '-c', READ_ONLY, folder.path, ...program], { encoding: 'utf8' });
  return { status: built.status, said: built.stderr.replaceAll(folder.path, '.') };
}

test.skipIf(noMount !== null)(
  `a read-only checkout without a built UI leads to one sentence${skipped(noMount)}`,
  async () => {
    expect(await buildReadOnly(false)).toEqual({
      status: 1,
      said: 'The admin UI cannot be built: ./renderer (EROFS) cannot be written. Make the checkout writable and run "npm run build:ui" once.\n',
    });
  },
);

test.skipIf(noMount !== null)(`an existing UI is used if it cannot be built again${skipped(noMount)}`, async () => {
  expect(await buildReadOnly(true)).toEqual({
    status: 0,
    said: 'The admin UI is older than its sources and cannot be built: ./renderer (EROFS) cannot be written. It is used as it is.\n',
  });
});

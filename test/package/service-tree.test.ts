import { rename } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '#test/service.ts';
import { type TempDir, tempDir } from '#test/temp-dir.ts';
import { build, expectToServe } from './packed.ts';

/** Only Linux's Node is in the tree, and npm brings it on x86-64. */
const skipped = process.platform !== 'linux' || process.arch !== 'x64';

let folder: TempDir;
let told: string;
let moved: string;

beforeAll(async () => {
  if (skipped) return;
  folder = await tempDir('sluice-package-');
  told = await build('package-service.ts', '--tree-only', '--out', folder.path);
  // Elsewhere than where it was made: a path that was written into it would be gone.
  moved = join(folder.path, 'moved here');
  await rename(join(folder.path, 'service'), moved);
});
afterAll(() => folder?.remove());

test.skipIf(skipped)('the tree starts where nothing else is, and serves the UI and a route', async () => {
  expect(foldersAbove(moved).filter((one) => existsSync(join(one, 'node_modules')))).toEqual([]);
  await expectToServe([join(moved, 'sluice')]);
});

test.skipIf(skipped)(
  'without a keychain it asks where the vault’s secret shall be, instead of choosing a file',
  async () => {
    await using data = await tempDir('sluice-package-data-');
    // No bus, so no keychain; the flag is what `startService` would give.
    const flags = ['--secret-store', 'auto'];
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', XDG_RUNTIME_DIR: data.path };
    const program = [join(moved, 'sluice')] as const;
    await expect(startService(flags, { program, env, dataDir: data.path })).rejects.toThrow('--secret-store file');
  },
);

test.skipIf(skipped)('the size of each part is told, and the whole is under 150 MiB', () => {
  const sizes = new Map(
    told.split('\n').map((line) => [line.slice(0, 18).trim(), Number(/([\d.]+) MiB/.exec(line)?.[1])]),
  );
  expect([...sizes.keys()]).toEqual(
    expect.arrayContaining(['Node runtime', 'product', 'admin UI', 'kept npm packages']),
  );
  expect(sizes.get('product')).toBeLessThan(15);
  expect(sizes.get('total')).toBeLessThan(150);
});

function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [above, ...foldersAbove(above)];
}

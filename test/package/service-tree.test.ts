import { execFile, execFileSync } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '#test/service.ts';
import { skipped as skippedBecause } from '#test/skipped.ts';
import { type TempDir, tempDir } from '#test/temp-dir.ts';
import { hasCallFilter, underCallFilter } from './call-filter.ts';
import { expectDrivers } from './drivers.ts';
import { build } from './build-script.ts';
import { expectToServe } from './packed.ts';

/** Not the version of the product: the package must have its version built in. */
const VERSION = '9.8.7';
/** The tree contains only Linux's Node, which npm installs on x86-64. */
const skipped = process.platform !== 'linux' || process.arch !== 'x64';

let folder: TempDir;
let told: string;
let moved: string;

beforeAll(async () => {
  if (skipped) return;
  folder = await tempDir('sluice-package-');
  told = await build('package-service.ts', '--tree-only', '--package-version', VERSION, '--out', folder.path);
  // In another place than where it was created: an absolute path in it would not work.
  moved = join(folder.path, 'moved here');
  await rename(join(folder.path, 'service'), moved);
});
afterAll(() => folder?.remove());

test.skipIf(skipped)('the tree starts without other files, and serves the UI and a route', async () => {
  expect(foldersAbove(moved).filter((one) => existsSync(join(one, 'node_modules')))).toEqual([]);
  await expectToServe([join(moved, 'sluice')]);
});

test.skipIf(skipped)(
  'the service requires a location for the secret of the vault if there is no keychain, instead of choosing a file',
  async () => {
    await using data = await tempDir('sluice-package-data-');
    // No bus, so no keychain; `startService` would set the flag.
    const flags = ['--secret-store', 'auto'];
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', XDG_RUNTIME_DIR: data.path };
    const program = [join(moved, 'sluice')] as const;
    await expect(startService(flags, { program, env, dataDir: data.path })).rejects.toThrow('--secret-store file');
  },
);

// With the filter is the more difficult case: without it, where it is not available, less can fail.
const filtered = !skipped && hasCallFilter();

test.skipIf(skipped)(
  `the embedded database of a project and every driver work in it${filtered ? ', under the unit’s call filter' : ''}`,
  () => expectDrivers(filtered ? underCallFilter([join(moved, 'sluice')]) : [join(moved, 'sluice')]),
  180_000,
);

const noFilter = filtered ? null : 'needs Linux on x64, python3, libseccomp and systemd';

test.skipIf(noFilter !== null)(
  `the call filter applies to the processes that it starts${skippedBecause(noFilter)}`,
  () => {
    const [program, ...words] = underCallFilter([
      'sh',
      '-c',
      'grep Seccomp: /proc/self/status; chroot / true 2>&1; true',
    ]);
    const told = execFileSync(program, words, { encoding: 'utf8' });
    expect(told).toMatch(/Seccomp:\t2\n.*(not permitted|denied)/);
  },
);

test.skipIf(skipped)('its version is the version of the package', async () => {
  const { stdout } = await promisify(execFile)(join(moved, 'sluice'), ['--version']);
  expect(stdout).toBe(`${VERSION}\n`);
  expect(JSON.parse(readFileSync(join(moved, 'package.json'), 'utf8'))).toMatchObject({ version: VERSION });
});

test.skipIf(skipped)('it includes the guides, and its help names their location', async () => {
  const { stdout } = await promisify(execFile)(join(moved, 'sluice'), ['--help']);
  const folder = /as plain text: (.+)$/m.exec(stdout)?.[1] ?? '';
  expect(folder).toBe(join(moved, 'share/doc/sluice'));
  expect(existsSync(join(folder, 'guides', 'install.md'))).toBe(true);
});

test.skipIf(skipped)('the size of each part is reported, and the total is under 150 MiB', () => {
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

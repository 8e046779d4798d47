import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '#test/paths.ts';
import { tempDir } from '#test/temp-dir.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { browserProgram } from '#test/browser-program.ts';
import { build } from './build-script.ts';
import { expectToServe } from './packed.ts';

/**
 * electron-builder's own packing with the project's own electron-builder.yml, where Electron's program is not
 * available: Node's replaces it. Two settings must be off for that, so this test does not cover them: the fuses (Node's
 * program has none to flip) and the archive (Node does not read `app.asar`).
 */
const browser = browserProgram();
const skipped = process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(browser);
const STAND_IN = { extends: 'electron-builder.yml', asar: false, electronFuses: null, electronDist: 'electron' };

const project = dirPerFile(() => tempDir('sluice-desktop-package-'));
let unpacked: string;

beforeAll(async () => {
  if (skipped) return;
  await makeProject(project.path);
  await build(
    'package-desktop.ts',
    '--project',
    project.path,
    '--dir',
    '--linux',
    '--x64',
    '--config',
    'stand-in.json',
  );
  unpacked = join(project.path, 'release', 'out', 'linux-unpacked');
});

test.skipIf(skipped)('the unpacked application includes the complete service tree', () => {
  const made = allFiles(join(project.path, 'release', 'service'));
  expect(allFiles(join(unpacked, 'resources', 'service'))).toEqual(made);
  expect(made).toContain('runtime/node');
});

test.skipIf(skipped)(
  'the application itself contains what the tree of the helper processes has, and no native code',
  () => {
    const app = allFiles(join(unpacked, 'resources', 'app'));
    expect(app).toEqual(
      expect.arrayContaining(['package.json', 'app/desktop.js', 'app/gateway.js', 'renderer/dist/index.html']),
    );
    expect(app.filter((file) => file.endsWith('.node') || file.startsWith('node_modules/keytar'))).toEqual([]);
    // helper-program.ts: these two are started from the service tree, by their path in the archive.
    for (const helper of ['app/keychain.js', 'app/embedded-database.js'])
      expect([app.includes(helper), existsSync(join(unpacked, 'resources', 'service', helper))]).toEqual([true, true]);
  },
);

test.skipIf(skipped)('it starts in service mode and serves a route', async () => {
  await expectToServe([join(unpacked, 'resources', 'service', 'sluice')]);
  // The program that replaces Electron's runs the same tree.
  await expectToServe([join(unpacked, 'sluice-desktop'), join(unpacked, 'resources', 'service', 'app', 'service.js')]);
});

/** A separate folder for electron-builder, with the project's settings and Node's program as Electron's. */
async function makeProject(folder: string): Promise<void> {
  const { name, version, description, devDependencies } = JSON.parse(
    await readFile(join(ROOT, 'package.json'), 'utf8'),
  ) as { name: string; version: string; description: string; devDependencies: { electron: string } };
  const manifest = { name, version, description, devDependencies: { electron: devDependencies.electron } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'stand-in.json'), JSON.stringify(STAND_IN));
  for (const file of ['electron-builder.yml', 'LICENSE']) await cp(join(ROOT, file), join(folder, file));
  await symlink(join(ROOT, 'build'), join(folder, 'build'));
  await mkdir(join(folder, 'electron', 'resources'), { recursive: true });
  await cp(process.execPath, join(folder, 'electron', 'electron'));
}

function allFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { dirPerTest } from '#test/test-dir.ts';
import type { OpenedVault } from '../vault/live-vault.ts';
import { openTestVault } from '../vault/testing/open-test-vault.ts';
import { packageArchiveAt } from './pack-folder.ts';
import { createPluginStore, type PluginStore } from './plugin-store.ts';
import { type PluginPackage, readArchive } from './read-package.ts';

const dir = dirPerTest();
let vault: OpenedVault;
let store: PluginStore;
beforeEach(async () => {
  mkdirSync(join(dir.path, 'data'), { mode: 0o700 });
  vault = await openTestVault(join(dir.path, 'data'));
  store = createPluginStore({ vault, folder: join(dir.path, 'data', 'plugins'), now: Date.now });
});
afterEach(() => vault.close());

const MANIFEST = {
  id: 'acme',
  name: 'Acme scales',
  version: '1.0.0',
  kinds: [{ id: 'acme-scale', title: 'Scale', summary: 'Reads a scale.', scopes: ['tag:read'] }],
  capabilities: ['tag:read'],
  targets: ['scale.example:80'],
};

/** Writes the folder of a plugin; returns its path. */
function plugin(files: Record<string, string | object>, name = 'plugin'): string {
  const folder = join(dir.path, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}
const good = (code = 'export default {}', manifest: object = {}): string =>
  plugin({ 'sluice-plugin.json': { ...MANIFEST, ...manifest }, 'index.js': code });

async function archive(folder: string, names: string[], file = 'plugin.tgz'): Promise<Uint8Array> {
  await create({ gzip: true, cwd: folder, file: join(dir.path, file) }, names);
  return readFileSync(join(dir.path, file));
}

/** Reads a package in the same way as the command line. */
const readPackageAt = async (path: string): Promise<PluginPackage> => readArchive(await packageArchiveAt(path));

const refusal = (error: unknown): unknown => (error instanceof SluiceError ? `${error.code}: ${error.message}` : error);

describe('an added plugin', () => {
  test('is the same as a folder, as an archive and as packed by npm', async () => {
    const folder = good();
    const asFolder = await readPackageAt(folder);
    const flat = await readArchive(await archive(folder, ['sluice-plugin.json', 'index.js']));
    const packed = await readArchive(await archive(dir.path, ['plugin']));
    expect(asFolder.manifest).toMatchObject({ id: 'acme', main: 'index.js', trusted: false });
    expect([...asFolder.files.keys()].toSorted()).toEqual(['index.js', 'sluice-plugin.json']);
    expect(asFolder.hashes['index.js']).toMatch(/^[0-9a-f]{64}$/);
    expect(flat.digest).toBe(asFolder.digest);
    expect(packed.digest).toBe(asFolder.digest);
  });

  test('has its version in package.json or in the manifest, but not two different ones', async () => {
    const { version: _, ...rest } = MANIFEST;
    const packaged = (manifest: object, version: string) =>
      readPackageAt(
        plugin({ 'sluice-plugin.json': manifest, 'index.js': '', 'package.json': { name: 'acme', version } }),
      );
    expect((await packaged(rest, '2.3.4')).manifest.version).toBe('2.3.4');
    expect((await packaged(MANIFEST, '1.0.0')).manifest.version).toBe('1.0.0');
    expect(await packaged(MANIFEST, '1.0.1').catch(refusal)).toBe(
      'invalid: The plugin cannot be added: its version is "1.0.0" in sluice-plugin.json and "1.0.1" in package.json; leave it out of sluice-plugin.json.',
    );
    expect(await packaged(rest, '1.0.0-beta').catch(refusal)).toContain('version: expected a version such as 1.0.0');
  });

  test('has another digest when a byte or a name differs', async () => {
    const { digest } = await readPackageAt(good('export default {}'));
    expect((await readPackageAt(good('export default {};'))).digest).not.toBe(digest);
    expect((await readPackageAt(good('export default {}', { main: 'index.js', version: '1.0.1' }))).digest).not.toBe(
      digest,
    );
  });

  test.each([
    ['no manifest', { 'index.js': '' }, 'there is no sluice-plugin.json'],
    ['a manifest that is not JSON', { 'sluice-plugin.json': '{', 'index.js': '' }, 'is not JSON'],
    ['no main file', { 'sluice-plugin.json': MANIFEST }, 'names index.js as its main file'],
    [
      'a kind with a name that is not its own',
      { 'sluice-plugin.json': { ...MANIFEST, kinds: [{ ...MANIFEST.kinds[0], id: 'rest-api' }] }, 'index.js': '' },
      'begin with "acme-"',
    ],
    [
      'a kind that uses what the plugin does not declare',
      { 'sluice-plugin.json': { ...MANIFEST, capabilities: [] }, 'index.js': '' },
      'tag:read is not among',
    ],
    [
      'a field that nobody knows',
      { 'sluice-plugin.json': { ...MANIFEST, network: '*' }, 'index.js': '' },
      'unknown field "network"',
    ],
    [
      'a target that is not a host and port',
      { 'sluice-plugin.json': { ...MANIFEST, targets: ['*'] }, 'index.js': '' },
      'expected host:port',
    ],
    [
      'a summary that would rewrite what a terminal shows',
      {
        'sluice-plugin.json': { ...MANIFEST, kinds: [{ ...MANIFEST.kinds[0], summary: 'Does x.\u001b[8m' }] },
        'index.js': '',
      },
      'expected one line, without control characters',
    ],
    [
      'a publisher of two lines',
      { 'sluice-plugin.json': { ...MANIFEST, publisher: 'Acme\n  capabilities: none' }, 'index.js': '' },
      'expected one line, without control characters',
    ],
    [
      'a name that is read from the right',
      { 'sluice-plugin.json': { ...MANIFEST, name: 'Ac\u202eme' }, 'index.js': '' },
      'expected one line, without control characters',
    ],
    ['a name with a space', { 'sluice-plugin.json': MANIFEST, 'index.js': '', 'a b.js': '' }, 'not a file name'],
  ])('with %s is refused', async (_what, files, reason) => {
    const told = await readPackageAt(plugin(files)).catch(refusal);
    expect(told).toContain('invalid: ');
    expect(told).toContain(reason);
  });

  test('with a link inside is refused, in a folder and in an archive', async () => {
    const folder = good();
    symlinkSync('/etc/passwd', join(folder, 'link.js'));
    expect(await readPackageAt(folder).catch(refusal)).toContain('regular files only');
    const packed = await archive(folder, ['sluice-plugin.json', 'index.js', 'link.js']);
    expect(await readArchive(packed).catch(refusal)).toContain('regular files only');
  });

  test('with a file outside its folder is refused', async () => {
    writeFileSync(join(dir.path, 'outside.js'), '');
    const folder = good();
    await create({ gzip: true, cwd: folder, file: join(dir.path, 'up.tgz'), preservePaths: true }, [
      'sluice-plugin.json',
      'index.js',
      '../outside.js',
    ]);
    expect(await readPackageAt(join(dir.path, 'up.tgz')).catch(refusal)).toContain('not a file name');
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['not an archive', Buffer.from('x'.repeat(2000))],
    ['half an archive', null],
  ])('as %s is refused', async (_what, bytes) => {
    const whole = await archive(good(`// ${'x'.repeat(50_000)}`), ['sluice-plugin.json', 'index.js']);
    const told = await readArchive(bytes ?? whole.subarray(0, whole.length >> 1)).catch(refusal);
    expect(told).toContain('invalid: The plugin cannot be added');
  });

  test('that would grow beyond its limit is refused', async () => {
    const folder = plugin({ 'sluice-plugin.json': MANIFEST, 'index.js': 'x'.repeat(21 * 1024 * 1024) }, 'large');
    expect(await readPackageAt(folder).catch(refusal)).toContain('larger than 20 MiB');
    expect(await readArchive(await archive(folder, ['sluice-plugin.json', 'index.js'])).catch(refusal)).toContain(
      'larger than 20 MiB',
    );
  });

  test('as a small archive that expands to a very large one is refused before it does, also in layers', async () => {
    const layer = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    for (const [bytes, reason] of [
      [layer, 'larger than 20 MiB'],
      [gzipSync(layer), 'cannot be read'],
    ] as const) {
      const before = process.memoryUsage().rss;
      expect(await readArchive(bytes).catch(refusal)).toContain(reason);
      expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
    }
  });

  test('that does not exist is refused with its path', async () => {
    expect(await readPackageAt(join(dir.path, 'none.tgz')).catch(refusal)).toContain('there is nothing at');
  });
});

describe('the store', () => {
  test('gives the gateway nothing before an approval of exactly that digest', async () => {
    const first = await store.add(await readPackageAt(good()), 'anna');
    expect(first).toMatchObject({ id: 'acme', addedBy: 'anna', approvedAt: null });
    expect(store.loads()).toEqual([]);
    expect(await store.approve('acme', '0'.repeat(64), null, 'anna').catch(refusal)).toContain('conflict');
    expect(store.loads()).toEqual([]);
    const approved = await store.approve('acme', first.digest, null, 'bert');
    expect(approved).toMatchObject({ approvedBy: 'bert' });
    const [load] = store.loads();
    expect(load).toMatchObject({ id: 'acme', files: first.hashes });
    expect(readFileSync(join(load?.folder ?? '', 'index.js'), 'utf8')).toBe('export default {}');
  });

  test('keeps the approved version in use while a newer one waits, and only one waiting version', async () => {
    const first = await store.add(await readPackageAt(good('export default {} // 1')), 'anna');
    await store.approve('acme', first.digest, null, 'anna');
    await store.add(await readPackageAt(good('export default {} // 2')), 'anna');
    const third = await store.add(await readPackageAt(good('export default {} // 3')), 'anna');
    expect(store.list().map(({ digest }) => digest)).toEqual([first.digest, third.digest]);
    expect(store.loads().map(({ files }) => files)).toEqual([first.hashes]);
    await store.approve('acme', third.digest, null, 'anna');
    await store.sweep();
    expect(store.loads().map(({ files }) => files)).toEqual([third.hashes]);
    expect(readdirSync(join(dir.path, 'data', 'plugins', 'acme'))).toHaveLength(1);
  });

  test('writes the files of a version again when the same bytes are added again', async () => {
    const { digest } = await store.add(await readPackageAt(good()), 'anna');
    const approved = await store.approve('acme', digest, null, 'anna');
    const file = join(store.loads()[0]?.folder ?? '', 'index.js');
    writeFileSync(file, 'changed');
    expect(await store.add(await readPackageAt(good()), 'bert')).toEqual(approved);
    expect(readFileSync(file, 'utf8')).toBe('export default {}');
  });

  test('restores what an approval or a removal replaced, unchanged', async () => {
    const { digest } = await store.add(await readPackageAt(good()), 'anna');
    await store.approve('acme', digest, null, 'anna');
    const newer = await store.add(await readPackageAt(good('export default {} // 2')), 'anna');
    const before = store.list();
    await store.approve('acme', newer.digest, null, 'anna');
    await store.putBack('acme', before);
    expect(store.list()).toEqual(before);
    await store.remove('acme');
    await store.putBack('acme', before);
    await store.sweep();
    expect(store.list()).toEqual(before);
    expect(readFileSync(join(store.loads()[0]?.folder ?? '', 'index.js'), 'utf8')).toBe('export default {}');
  });

  test('requires trusted code to be confirmed by typing its name', async () => {
    const { digest } = await store.add(await readPackageAt(good('export default {}', { trusted: true })), 'anna');
    for (const confirm of [null, '', 'yes', 'trust', 'trust other', 'Trust acme'])
      expect(await store.approve('acme', digest, confirm, 'anna').catch(refusal)).toContain(
        'needs confirm: "trust acme"',
      );
    expect(store.loads()).toEqual([]);
    await store.approve('acme', digest, 'trust acme', 'anna');
    expect(store.loads()).toHaveLength(1);
  });

  test('deletes the files of removed plugins, and files that no version uses', async () => {
    const { digest } = await store.add(await readPackageAt(good()), 'anna');
    await store.approve('acme', digest, null, 'anna');
    mkdirSync(join(dir.path, 'data', 'plugins', 'stray', 'x'), { recursive: true });
    await store.sweep();
    expect(readdirSync(join(dir.path, 'data', 'plugins', 'stray'))).toEqual([]);
    await store.remove('acme');
    expect(store.list()).toEqual([]);
    await store.sweep();
    expect(readdirSync(join(dir.path, 'data', 'plugins', 'acme'))).toEqual([]);
    expect(await store.remove('acme').catch(refusal)).toContain('unknown');
  });
});

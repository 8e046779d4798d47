import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { killedChild } from '#test/killed-child.ts';
import { skipped } from '#test/skipped.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { openByDescriptor, openByPath } from './folder-handle.ts';
import { FILE_BYTES_MAX } from './disk-file.ts';
import { FOLDER_ENTRIES_MAX } from './entries.ts';
import { createFiles } from './files.ts';
import { filesFixture, refusal } from './files-fixture.ts';
import { ENTRIES_MAX, Usage } from './usage.ts';
import { ENDLESS_DISK } from '../disk-room.testing.ts';

const windows = process.platform === 'win32';
const names = (entries: readonly { name: string }[]): string[] => entries.map(({ name }) => name);

describe('a file', () => {
  test('is written with its parent folders, read, replaced, listed and removed', async () => {
    await using fixture = await filesFixture();
    rmSync(fixture.root, { recursive: true });
    expect(await fixture.call('files.list', {})).toEqual([]);
    expect(await fixture.write('reports/2026/täglich.txt', 'Schicht 1 ✓')).toEqual({ bytes: 13 });
    expect(await fixture.read('reports/2026/täglich.txt')).toBe('Schicht 1 ✓');
    await fixture.write('reports/2026/täglich.txt', '');
    expect(await fixture.read('reports/2026/täglich.txt')).toBe('');
    expect(await fixture.call('files.list', { folder: 'reports' })).toEqual([
      { name: '2026', folder: true, bytes: 0, modifiedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    await fixture.write('b.txt', 'four');
    expect(await fixture.call('files.list', {})).toEqual([
      { name: 'b.txt', folder: false, bytes: 4, modifiedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      expect.objectContaining({ name: 'reports', folder: true }),
    ]);
    expect(await fixture.call('files.remove', { path: 'reports/2026/täglich.txt' })).toBe(true);
    expect(await fixture.call('files.remove', { path: 'reports/2026/täglich.txt' })).toBe(false);
    expect(await refusal(fixture.read('reports/2026/täglich.txt'))).toBe('file_unknown');
    expect(await refusal(fixture.call('files.list', { folder: 'none' }))).toBe('file_unknown');
  });

  test('belongs to its own project', async () => {
    await using fixture = await filesFixture();
    await fixture.write('a.txt');
    expect(await refusal(fixture.call('files.read', { path: 'a.txt' }, { project: 'other' }))).toBe('file_unknown');
    expect(await refusal(fixture.call('files.read', { path: 'a.txt' }, { project: '../p' }))).toBe('files_unavailable');
  });

  test.skipIf(windows)('and its folders are accessible only to the gateway', async () => {
    await using fixture = await filesFixture();
    await fixture.call('files.write', { path: 'a/b.txt', content: '' }, { project: 'other' });
    const root = join(fixture.data, 'projects', 'other', 'files');
    expect(statSync(root).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, 'a', 'b.txt')).mode & 0o777).toBe(0o600);
  });

  test('cannot replace a folder or be below a file', async () => {
    await using fixture = await filesFixture();
    await fixture.write('folder/a.txt');
    for (const path of ['folder', 'folder/a.txt/b.txt']) {
      expect(await refusal(fixture.read(path))).toBe('file_not_regular');
      expect(await refusal(fixture.write(path))).toBe('file_not_regular');
    }
    expect(await refusal(fixture.call('files.list', { folder: 'folder/a.txt' }))).toBe('file_not_regular');
  });

  test('with a name that differs from another one only in case or accents is refused', async () => {
    await using fixture = await filesFixture();
    await fixture.write('Reports/Über.txt', 'old');
    for (const path of ['reports/a.txt', 'REPORTS/a.txt', 'Reports/ÜBER.txt', 'Reports/u\u0308ber.TXT'])
      expect(await refusal(fixture.write(path)), path).toBe('file_path_invalid');
    expect(await refusal(fixture.read('reports/Über.txt'))).toBe('file_unknown');
    await fixture.write('Reports/Über.txt', 'new');
    expect(names(await fixture.call('files.list', {}))).toEqual(['Reports']);
  });

  test('with many concurrent writers holds the content of one of them, and only one of two spellings exists', async () => {
    await using fixture = await filesFixture();
    const writes = Array.from({ length: 40 }, (_, i) => fixture.write('a.txt', `${i}`.repeat(1_000)));
    await Promise.all(writes);
    expect(await fixture.read('a.txt')).toBe('39'.repeat(1_000));
    const spelled = await Promise.all(['x.txt', 'X.txt', 'x.TXT'].map((path) => refusal(fixture.write(path))));
    expect(spelled.filter((outcome) => outcome === 'file_path_invalid')).toHaveLength(2);
    expect(readdirSync(fixture.root).filter((name) => name.startsWith('.sluice'))).toEqual([]);
  });

  test('is not written when the call ended before its turn', async () => {
    await using fixture = await filesFixture();
    const ended = new AbortController();
    const { files } = fixture;
    const context = { project: 'p' } as Parameters<(typeof files.calls)['files.write']>[1];
    const args = { path: 'a.txt', content: 'x', format: 'text' } as const;
    const first = files.calls['files.write'](args, context, ended.signal);
    const second = files.calls['files.write']({ ...args, path: 'b.txt' }, context, ended.signal);
    ended.abort();
    expect(await refusal(Promise.resolve(second))).toBe('call_cancelled');
    await refusal(Promise.resolve(first));
    expect(existsSync(join(fixture.root, 'b.txt'))).toBe(false);
  });
});

describe('a folder', () => {
  test('is removed only when it is empty', async () => {
    await using fixture = await filesFixture();
    await fixture.write('folder/a.txt');
    expect(await refusal(fixture.call('files.remove', { path: 'folder' }))).toBe('file_not_regular');
    await fixture.call('files.remove', { path: 'folder/a.txt' });
    expect(await fixture.call('files.remove', { path: 'folder' })).toBe(true);
    expect(await fixture.call('files.list', {})).toEqual([]);
  });

  test('has a limited number of entries, and existing ones can still be replaced', async () => {
    await using fixture = await filesFixture();
    for (let i = 0; i < FOLDER_ENTRIES_MAX; i++) writeFileSync(join(fixture.root, `f-${i}`), '');
    expect(await fixture.call('files.list', {})).toHaveLength(FOLDER_ENTRIES_MAX);
    expect(await refusal(fixture.write('one-more'))).toBe('files_full');
    await fixture.write('f-7', 'replaced');
    writeFileSync(join(fixture.root, 'by-hand'), '');
    expect(await refusal(fixture.call('files.list', {}))).toBe('files_full');
  });
});

describe('the limits', () => {
  test('of one file apply to reading and writing', async () => {
    await using fixture = await filesFixture();
    const most = new Uint8Array(FILE_BYTES_MAX).fill(7);
    expect(await fixture.call('files.write', { path: 'most', content: most, format: 'bytes' })).toEqual({
      bytes: FILE_BYTES_MAX,
    });
    const read = await fixture.call('files.read', { path: 'most', format: 'bytes' });
    expect(Buffer.compare(read as Uint8Array, most)).toBe(0);
    const more = new Uint8Array(FILE_BYTES_MAX + 1);
    expect(await refusal(fixture.call('files.write', { path: 'more', content: more, format: 'bytes' }))).toBe(
      'file_too_large',
    );
    writeFileSync(join(fixture.root, 'more'), more);
    expect(await refusal(fixture.call('files.read', { path: 'more', format: 'bytes' }))).toBe('file_too_large');
  });

  test('of the workspace count existing files at the start, and each write and removal', async () => {
    await using fixture = await filesFixture(undefined, 1_000);
    mkdirSync(join(fixture.root, 'old'));
    writeFileSync(join(fixture.root, 'old', 'a'), 'x'.repeat(400));
    await fixture.write('b', 'x'.repeat(500));
    expect(await refusal(fixture.write('c', 'x'.repeat(101)))).toBe('files_full');
    await fixture.write('c', 'x'.repeat(100));
    await fixture.write('b', 'x'.repeat(400));
    await fixture.write('c', 'x'.repeat(200));
    expect(await refusal(fixture.write('c', 'x'.repeat(201)))).toBe('files_full');
    await fixture.call('files.remove', { path: 'old/a' });
    await fixture.write('d', 'x'.repeat(400));
    expect(await refusal(fixture.write('e', 'x'))).toBe('files_full');
    await fixture.restart();
    expect(await refusal(fixture.write('e', 'x'))).toBe('files_full');
    await fixture.write('d', '');
    await fixture.write('e', 'x');
  });

  test('of files and folders apply', async () => {
    await using fixture = await filesFixture();
    await fixture.write('a.txt');
    const root = await openByPath(fixture.root);
    if (root === null) throw new Error('there is no workspace');
    const usage = new Usage(1_000);
    await usage.count(root);
    usage.add(0, ENTRIES_MAX - 2);
    await usage.allow(0, 1, root);
    usage.add(0, 1);
    expect(await refusal(usage.allow(0, 1, root))).toBe('files_full');
    await usage.allow(10, 0, root);
  });
});

describe('at startup', () => {
  test('leftovers of a crash are removed, other hidden files stay', async () => {
    await using fixture = await filesFixture();
    mkdirSync(join(fixture.root, 'sub'));
    const left = [`.sluice-${'a'.repeat(24)}.tmp`, join('sub', `.sluice-${'0'.repeat(24)}.tmp`)];
    for (const name of left) writeFileSync(join(fixture.root, name), 'half');
    for (const name of ['.sluice-note', '.hidden']) writeFileSync(join(fixture.root, name), 'kept');
    expect(names(await fixture.call('files.list', {}))).not.toContain(left[0]);
    await fixture.files.configure?.('p', NO_RESOURCES('p'));
    await until('they are gone', () => left.every((name) => !existsSync(join(fixture.root, name))));
    expect(readdirSync(fixture.root).toSorted()).toEqual(['.hidden', '.sluice-note', 'sub']);
  });

  test('a project without a workspace does not get one', async () => {
    await using fixture = await filesFixture();
    await fixture.files.configure?.('empty', NO_RESOURCES('empty'));
    await fixture.files.close();
    expect(existsSync(join(fixture.data, 'projects', 'empty'))).toBe(false);
    expect(await refusal(fixture.read('a.txt'))).toBe('files_unavailable');
  });

  const everyFolder = windows || process.getuid?.() === 0 ? 'needs a user who may not read every folder' : null;
  test.skipIf(everyFolder !== null)(
    `an unreadable folder is reported only in the log${skipped(everyFolder)}`,
    async () => {
      await using fixture = await filesFixture();
      mkdirSync(join(fixture.root, 'closed'));
      chmodSync(join(fixture.root, 'closed'), 0);
      expect(await refusal(fixture.read('closed/a.txt'))).toBe('files_unavailable');
      expect(fixture.lines.join('')).toContain('EACCES');
      chmodSync(join(fixture.root, 'closed'), 0o700);
    },
  );

  test('a removed project is forgotten: its usage does not count for the next one', async () => {
    await using fixture = await filesFixture(undefined, 100);
    await fixture.write('a.txt', 'x'.repeat(100));
    await fixture.files.configure?.('p', null);
    rmSync(fixture.root, { recursive: true });
    await fixture.files.configure?.('p', NO_RESOURCES('p'));
    await fixture.write('b.txt', 'x'.repeat(100));
    expect(names(await fixture.call('files.list', {}))).toEqual(['b.txt']);
  });
});

test.skipIf(process.platform !== 'linux')('no descriptor is left open, whatever is refused', async () => {
  await using fixture = await filesFixture(openByDescriptor);
  const open = (): number => readdirSync('/proc/self/fd').length;
  await fixture.write('a/b/c.txt');
  const before = open();
  for (let i = 0; i < 20; i++) {
    await fixture.write('a/b/c.txt');
    await fixture.read('a/b/c.txt');
    await refusal(fixture.read('a/b'));
    await refusal(fixture.read('a/b/c.txt/d'));
    await refusal(fixture.read('a/none/c.txt'));
    await refusal(fixture.write('a/B/c.txt'));
    await refusal(fixture.call('files.list', { folder: 'a/b/c.txt' }));
    await refusal(fixture.call('files.remove', { path: 'a/b' }));
  }
  expect(open()).toBeLessThanOrEqual(before);
});

/** Writes one file repeatedly, a megabyte of one letter each time, and prints what it has written. */
const CRASHING = `
  const { createFiles } = await import(process.argv[1]);
  const { writeSync } = await import('node:fs');
  const { calls } = createFiles({ dataDir: process.argv[2], log: console, disk: { expectRoom() {}, grew() {} } });
  const signal = new AbortController().signal;
  for (let i = 0; ; i++) {
    const letter = String.fromCharCode(97 + (i % 26));
    const args = { path: 'deep/a.txt', content: letter.repeat(1 << 20), format: 'text' };
    await calls['files.write'](args, { project: 'p' }, signal);
    writeSync(1, letter);
  }
`;

test('kill -9 during writes leaves a complete file: the last acknowledged one or the one after it', async () => {
  await using dir = await tempDir();
  const module = pathToFileURL(join(import.meta.dirname, 'files.ts')).href;
  const folder = join(dir.path, 'projects', 'p', 'files', 'deep');
  for (let round = 0; round < 5; round++) {
    const told = await killedChild(CRASHING, [module, dir.path], (text) => text.length > 5 + 3 * round);
    const text = readFileSync(join(folder, 'a.txt'), 'utf8');
    const last = (told.codePointAt(told.length - 1) ?? 0) - 97;
    const letters = [last, (last + 1) % 26].map((index) => String.fromCodePoint(97 + index));
    expect(letters).toContain(text.slice(0, 1));
    expect(text === text.slice(0, 1).repeat(1 << 20)).toBe(true);
    const files = createFiles({
      dataDir: dir.path,
      disk: ENDLESS_DISK,
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    await files.configure?.('p', NO_RESOURCES('p'));
    await files.close();
    expect(readdirSync(folder)).toEqual(['a.txt']);
  }
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { diskEdge, replaceFile } from './atomic-file.ts';
import { makePrivateFolder, openToOthers, touchPrivateFile, windowsAccess } from './private-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(path(name), 'utf8');

describe('replacing a file', () => {
  test('creates a private file, replaces it and keeps the previous one', async () => {
    const options = { previous: path('a.previous') };
    await replaceFile(path('a'), Buffer.from('one'), options);
    expect(readdirSync(folder)).toEqual(['a']);
    await replaceFile(path('a'), Buffer.from('two'), options);
    await replaceFile(path('a'), Buffer.from('three'), options);
    expect([text('a'), text('a.previous')]).toEqual(['three', 'two']);
    expect(readdirSync(folder)).toEqual(['a', 'a.previous']);
    expect(statSync(path('a')).mode & 0o777).toBe(0o600);
  });

  test('keeps the previous one as a copy where hard links are not supported', async () => {
    const link: typeof diskEdge.link = async (from, to) => {
      await diskEdge.create(to, readFileSync(from));
      return true;
    };
    await replaceFile(path('a'), Buffer.from('one'));
    await replaceFile(path('a'), Buffer.from('two'), { previous: path('b'), files: { ...diskEdge, link } });
    expect([text('a'), text('b')]).toEqual(['two', 'one']);
  });

  test('keeps the old file and leaves nothing behind if a step fails', async () => {
    await replaceFile(path('a'), Buffer.from('one'));
    for (const step of ['create', 'read', 'rename'] as const) {
      const files = { ...diskEdge, [step]: () => Promise.reject(new Error('no')) };
      await expect(replaceFile(path('a'), Buffer.from('two'), { files })).rejects.toThrow('no');
      expect(text('a')).toBe('one');
      expect(readdirSync(folder)).toEqual(['a']);
    }
  });

  test('works despite files left by a crash', async () => {
    writeFileSync(path('a.new'), 'half');
    await replaceFile(path('a'), Buffer.from('one'));
    expect(readdirSync(folder)).toEqual(['a']);
  });
});

describe('private files', () => {
  test('restricts a folder and a file that others have access to', () => {
    makePrivateFolder(path('deep/er'));
    expect(statSync(path('deep')).mode & 0o777).toBe(0o700);
    writeFileSync(path('open'), '', { mode: 0o644 });
    expect(openToOthers(path('open'))).toBe(true);
    touchPrivateFile(path('open'));
    expect(openToOthers(path('open'))).toBe(false);
  });

  test('does not accept a file instead of a folder', () => {
    writeFileSync(path('file'), '');
    expect(() => makePrivateFolder(path('file'))).toThrow();
  });

  test('gives full control on Windows only to the user, the system and administrators', () => {
    expect(windowsAccess('/x', 'edge').slice(1)).toEqual([
      '/inheritance:r',
      '/grant:r',
      '*S-1-5-18:(OI)(CI)F',
      '*S-1-5-32-544:(OI)(CI)F',
      'edge:(OI)(CI)F',
    ]);
  });
});

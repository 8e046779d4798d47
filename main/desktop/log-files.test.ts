import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOG_FILES_MAX, openLogFiles } from './log-files.ts';
import { wholeLines } from './whole-lines.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-logs-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a full file is rotated, and the oldest is removed', async () => {
  const logs = openLogFiles(folder, 10);
  for (let line = 0; line < 10; line++) logs.write(`line ${line} ----\n`);
  logs.close();
  expect((await readdir(folder)).toSorted()).toHaveLength(LOG_FILES_MAX);
  expect(await readFile(join(folder, 'sluice.log'), 'utf8')).toBe('line 9 ----\n');
  expect(await readFile(join(folder, `sluice.${LOG_FILES_MAX - 1}.log`), 'utf8')).toBe('line 5 ----\n');
});

test('a log continues where the last start ended, and only its owner can read it', async () => {
  for (const line of ['one\n', 'two\n']) {
    const logs = openLogFiles(folder);
    logs.write(line);
    logs.close();
  }
  expect(await readFile(join(folder, 'sluice.log'), 'utf8')).toBe('one\ntwo\n');
  expect((await stat(join(folder, 'sluice.log'))).mode & 0o077).toBe(0);
});

test('a log that cannot be written stops nothing', async () => {
  const logs = openLogFiles(join(folder, 'gone'));
  await rm(join(folder, 'gone'), { recursive: true });
  expect(() => logs.write('x\n')).not.toThrow();
  logs.close();
});

test('chunks of a stream become complete lines', () => {
  const lines: string[] = [];
  const out = wholeLines((line) => void lines.push(line));
  for (const piece of ['{"a', '":1}\n{"b":2}\nta', 'il']) out.take(piece);
  expect(lines).toEqual(['{"a":1}\n', '{"b":2}\n']);
  out.end();
  out.end();
  expect(lines.at(-1)).toBe('tail\n');
  out.take('x'.repeat(70_000));
  expect(lines).toHaveLength(4);
});

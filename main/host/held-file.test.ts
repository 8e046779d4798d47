import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { HELD_FILE, openHeldFile } from './held-file.ts';

const KEY = Buffer.alloc(32, 7);
const dir = dirPerTest();
let logged: string[];
beforeEach(() => {
  logged = [];
});

const path = () => join(dir.path, HELD_FILE);
const open = (key = KEY) =>
  openHeldFile(
    dir.path,
    key,
    createLogger('test', (line) => void logged.push(line)),
  );

test('the last write is there, in a private file that never grows', () => {
  const file = open();
  const { size, mode, ino } = statSync(path());
  expect(mode & 0o777).toBe(0o600);
  for (let n = 1; n <= 5; n++) expect(file.write([{ n }, 'é'])).toBe(true);
  expect(open().records).toEqual([{ n: 5 }, 'é']);
  expect(open().write([])).toBe(true);
  expect(open().records).toEqual([]);
  expect(statSync(path())).toMatchObject({ size, ino });
  expect(logged).toEqual([]);
});

test('an interrupted write leaves the previous content', () => {
  const file = open();
  file.write(['first']);
  const before = readFileSync(path());
  file.write(['second']);
  const after = readFileSync(path());
  const changed = [...after.keys()].filter((at) => after[at] !== before[at]);
  for (const cut of [1, 30, 70, changed.length - 1]) {
    const torn = Buffer.from(before);
    for (const at of changed.slice(0, cut)) torn[at] = after[at] ?? 0;
    writeFileSync(path(), torn);
    expect(open().records).toEqual(['first']);
  }
});

test('content that another key wrote or that was altered is ignored, and the damage is logged', () => {
  open().write(['first']);
  expect(open(Buffer.alloc(32, 8)).records).toEqual([]);
  expect(logged.join()).toContain('the file is damaged');
  logged = [];
  const file = open();
  file.write(['one']);
  file.write(['two']);
  const bytes = readFileSync(path());
  writeFileSync(
    path(),
    Buffer.from(bytes.toString('latin1').replaceAll('"one"', '"ONE"').replaceAll('"two"', '"TWO"'), 'latin1'),
  );
  expect(open().records).toEqual([]);
  expect(logged.join()).toContain('the file is damaged');
});

test('content that does not fit is not written, and the previous content stays', () => {
  const file = open();
  file.write(['first']);
  expect(file.write(['x'.repeat(70_000)])).toBe(false);
  expect(open().records).toEqual(['first']);
});

test('nothing is written through a link', () => {
  const target = join(dir.path, 'target');
  writeFileSync(target, 'untouched');
  symlinkSync(target, path());
  open().write(['first']);
  expect(readFileSync(target, 'utf8')).toBe('untouched');
  expect(open().records).toEqual(['first']);
});

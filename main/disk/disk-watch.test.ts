import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BALLAST_MAKE_BYTES, BALLAST_RELEASE_BYTES } from '#common/node/disk-space.ts';
import { createLogger } from '#common/node/log.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { desktop as german } from '#common/languages/de/desktop.ts';
import { alarmText } from '#common/alarms/alarm-text.ts';
import { createAlarms } from '../host/alarms.ts';
import { BALLAST_FILE, createBallast } from './ballast.ts';
import { setDiskAlarms } from './disk-alarms.ts';
import { UploadWriters } from './upload-writers.ts';
import { createDiskWatch, type DiskLevel, type DiskWatch } from './disk-watch.ts';

const MIB = 1024 ** 2;
const RESERVE = 100 * MIB;
const BALLAST = 2 * MIB;

let folder: Awaited<ReturnType<typeof tempDir>>;
let free: number | null;
let watch: DiskWatch;
beforeEach(async () => {
  folder = await tempDir('sluice-ballast-');
  free = 1024 * MIB;
  watch = createDiskWatch({
    dataDir: folder.path,
    ballast: createBallast(folder.path, BALLAST),
    reserveBytes: () => RESERVE,
    onChange: () => {},
    log: createLogger('test', () => {}),
    freeBytes: () => Promise.resolve(free),
    lookMs: 5,
    ballastAfterMs: 0,
  });
});
afterEach(async () => {
  watch.close();
  await folder.remove();
});

const held = () => existsSync(join(folder.path, BALLAST_FILE));
const reaches = (level: DiskLevel) => until(`the level ${level}`, () => watch.level === level);

test('the ballast has its blocks, is removed when the disk is nearly full and is created again when there is room', async () => {
  const ballast = createBallast(folder.path, BALLAST);
  await until('the ballast is held', () => ballast.held());
  const { blocks, size, mode } = await stat(join(folder.path, BALLAST_FILE));
  expect([size, mode & 0o777]).toEqual([BALLAST, 0o600]);
  expect(blocks * 512).toBeGreaterThanOrEqual(BALLAST);
  free = BALLAST_RELEASE_BYTES - 1;
  await reaches('full');
  expect(held()).toBe(false);
});

test('the ballast is not written through a link', async () => {
  const other = await tempDir('sluice-ballast-');
  const [file, link] = [join(other.path, 'file'), join(other.path, BALLAST_FILE)];
  await writeFile(file, 'of somebody else');
  await symlink(file, link);
  const ballast = createBallast(other.path, BALLAST);
  expect(ballast.held()).toBe(false);
  await ballast.make();
  expect([await readFile(file, 'utf8'), ballast.held()]).toEqual(['of somebody else', true]);
  await other.remove();
});

test('a ballast that cannot be removed does not end the watch', async () => {
  watch.close();
  const ballast = createBallast(folder.path, BALLAST);
  const release = () => {
    throw new Error('EROFS: read-only file system');
  };
  const logged: string[] = [];
  watch = createDiskWatch({
    dataDir: folder.path,
    ballast: { ...ballast, release },
    reserveBytes: () => RESERVE,
    onChange: () => {},
    log: createLogger('test', (line) => logged.push(line)),
    freeBytes: () => Promise.resolve(free),
    lookMs: 5,
  });
  free = 0;
  await reaches('full');
  expect(watch.makeRoom()).toBe(false);
  expect(logged.filter((line) => line.includes('could not be removed'))).toHaveLength(1);
});

test('the ballast is not made while little is free', async () => {
  free = BALLAST_MAKE_BYTES - 1;
  await reaches('reserve');
  watch.makeRoom();
  await reaches('reserve');
  expect(held()).toBe(false);
});

test('for a write that failed the ballast goes first, then the compiled code', async () => {
  // The watch creates it; a second one that is created meanwhile would remove it.
  await until('the ballast is held', () => createBallast(folder.path, BALLAST).held());
  watch.close();
  await mkdir(join(folder.path, 'cache'));
  expect([watch.makeRoom(), held(), existsSync(join(folder.path, 'cache'))]).toEqual([true, false, true]);
  expect([watch.makeRoom(), existsSync(join(folder.path, 'cache'))]).toEqual([true, false]);
  expect(watch.makeRoom()).toBe(false);
});

test('the level follows the free space, and goes back only with a margin', async () => {
  free = 2 * RESERVE - 1;
  await reaches('low');
  free = RESERVE - 1;
  await reaches('reserve');
  free = RESERVE + 1;
  await reaches('reserve');
  free = 1.2 * RESERVE;
  await reaches('low');
  free = null;
  await reaches('low');
  free = 3 * RESERVE;
  await reaches('ok');
});

test('uploads of users are named by project for some minutes, the largest first', () => {
  let nowMs = 0;
  const uploads = new UploadWriters(() => nowMs);
  uploads.note('small', 1000);
  for (let n = 0; n < 2; n++) uploads.note('line-8', 2 * 1024 ** 2);
  uploads.note('line-7', 3 * 1024 ** 2);
  expect(uploads.list().map(({ project }) => project)).toEqual(['line-8', 'line-7']);
  const alarms = createAlarms();
  setDiskAlarms(alarms, 'low', RESERVE, uploads.list());
  const [alarm] = alarms.list();
  expect(alarm?.text).toContain('line-8 (uploads by users), line-7 (uploads by users)');
  expect(alarm && alarmText(alarm, german)).toContain('line-8 (Uploads von Benutzern)');
  nowMs = 10 * 60_000;
  expect(uploads.list().map(({ project }) => project)).toEqual(['line-8']);
  for (let n = 0; n < 200; n++) uploads.note(`project-${n}`, 1024 ** 2);
  expect(uploads.list()).toHaveLength(3);
});

test('one alarm at a time, naming who stored most', () => {
  const alarms = createAlarms();
  const writers = [
    { project: 'line-7', pipeline: null, kind: 'files' },
    { project: 'line-8', pipeline: 'orders', kind: 'journal' },
    { project: null, pipeline: null, kind: 'history' },
  ] as const;
  const codes = (['low', 'reserve', 'full', 'ok'] as const).map((level) => {
    setDiskAlarms(alarms, level, RESERVE, writers);
    return alarms.list().map((alarm) => {
      const named = alarm.text.includes('line-7 (files), line-8, pipeline orders (journal), history');
      return [
        alarm.code,
        named && alarmText(alarm, german).includes('line-7 (Dateien), line-8, Pipeline orders (Journal), Verlauf'),
      ];
    });
  });
  expect(codes).toEqual([[['disk_low', true]], [['disk_reserve', true]], [['disk_full', true]], []]);
});

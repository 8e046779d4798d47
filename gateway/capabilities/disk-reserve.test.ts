import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallInput, CallName } from '#common/capabilities/calls.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { createLogger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { smallDisk, whyNoDisk } from '#test/mounts.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { callContext } from './call-context.testing.ts';
import { createDatabases } from './db/databases.ts';
import { WAL_BYTES_KEPT } from './db/embedded/limits.ts';
import { DiskMeter } from './disk-meter.ts';
import { ENDLESS_DISK } from './disk-room.testing.ts';
import { CapabilityBroker } from './capability-broker.ts';
import { createFiles } from './files/files.ts';
import { memory } from './tags/tags-world.testing.ts';
import { createTags } from './tags/tags.ts';
import { createVariables } from './variables/variables.ts';

/** Each part that stores data for callers, on a disk whose free space is set by the test. */
const RESERVE = 1024 ** 3;
const MIB = 1024 ** 2;

let folder: Awaited<ReturnType<typeof tempDir>>;
let free: number;
let meter: DiskMeter;
let door: CapabilityBroker;
let close: () => Promise<unknown>;
beforeEach(async () => {
  folder = await tempDir('sluice-reserve-');
  free = 100 * RESERVE;
  meter = new DiskMeter({
    folder: folder.path,
    reserveBytes: () => RESERVE,
    onWriters: () => {},
    freeBytes: () => free,
    lookMs: 5,
  });
  const parts = { dataDir: folder.path, log: createLogger('test', () => {}), disk: meter };
  const guarded = { ...parts, guard: new TargetGuard([]) };
  const databases = createDatabases(guarded);
  const tags = createTags({ ...guarded, providers: {} });
  const all = [createFiles(parts), createVariables(parts), tags, databases];
  await databases.configure('p', NO_RESOURCES('p'));
  await tags.configure?.('p', { ...NO_RESOURCES('p'), tags: [memory('a', { type: 'text' })] });
  door = new CapabilityBroker(all);
  close = () => Promise.all(all.map((one) => one.close()));
});
afterEach(async () => {
  meter.close();
  await close();
  await folder.remove();
});

const call = <N extends CallName>(name: N, args: CallInput<N>): Promise<unknown> =>
  door.call(callContext(), name, args);
const sql = (text: string) => call('db.sql', { connection: 'embedded', sql: text, params: {} });
const insert = (bytes: number) => sql(`INSERT INTO t VALUES (zeroblob(${bytes}))`);
/** Above the reserve. */
async function leave(bytes: number): Promise<void> {
  free = RESERVE + bytes;
  await until('the disk was checked', () => meter.room('nobody') === Math.max(0, Math.floor(bytes / 2)));
}

const WRITES: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
  [
    'a workspace',
    () => call('files.write', { path: 'a.txt', content: 'x'.repeat(MIB) }),
    () => call('files.remove', { path: 'a.txt' }),
  ],
  [
    'the variables',
    () => call('vars.set', { name: 'a', value: 'x'.repeat(1_000) }),
    () => call('vars.remove', { name: 'a' }),
  ],
  [
    'the memory tags',
    () => call('tags.write', { path: 'a', value: 'x'.repeat(1_000) }),
    () => call('tags.write', { path: 'a', value: '' }),
  ],
  ['the embedded database', () => insert(MIB), () => sql('DELETE FROM t')],
];

test.each(WRITES)(
  '%s stores nothing below the reserve, frees space, and continues above it',
  async (_name, put, take) => {
    await sql('CREATE TABLE t (b BLOB)');
    await put();
    await leave(0);
    await take();
    await expect(put()).rejects.toMatchObject({ code: 'disk_reserve' });
    await leave(RESERVE);
    await put();
  },
);

test('a project may use half of the space above the reserve for all its data', async () => {
  await sql('CREATE TABLE t (b BLOB)');
  await leave(16 * MIB);
  await insert(3 * MIB);
  await leave(13 * MIB);
  await call('files.write', { path: 'a.txt', content: 'x'.repeat(4 * MIB) });
  await leave(9 * MIB);
  await expect(call('files.write', { path: 'b.txt', content: 'x'.repeat(2 * MIB) })).rejects.toMatchObject({
    code: 'disk_reserve',
  });
  await expect(insert(2 * MIB)).rejects.toMatchObject({ code: 'disk_reserve' });
  expect(meter.room('other')).toBe(4.5 * MIB);
});

test('variables that grow and shrink in turn use no more of the disk than they hold', async () => {
  await leave(16 * MIB);
  for (let turn = 0; turn < 40; turn++)
    for (const bytes of [50_000, 10]) await call('vars.set', { name: 'a', value: 'x'.repeat(bytes) });
  for (let turn = 0; turn < 40; turn++) {
    await call('vars.set', { name: 'b', value: 'x'.repeat(50_000) });
    await call('vars.remove', { name: 'b' });
  }
  await until('the disk was checked', () => meter.room('other') === 8 * MIB);
  expect(meter.room('p')).toBeGreaterThan(7.9 * MIB);
});

describe('a statement that changes rows without adding any', () => {
  const ROWS = 16_000;
  const log = () => join(folder.path, 'projects', 'p', 'data.sqlite-wal');
  const logBytes = () => statSync(log(), { throwIfNoEntry: false })?.size ?? 0;

  beforeEach(async () => {
    await sql('CREATE TABLE t (n INTEGER, b BLOB)');
    await sql(
      `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${ROWS}) INSERT INTO t SELECT 0, zeroblob(3900) FROM c`,
    );
  });

  test('leaves no large log behind when the disk has room', async () => {
    await sql('UPDATE t SET n = n + 1');
    expect(logBytes()).toBeLessThanOrEqual(WAL_BYTES_KEPT);
  });

  test.each<[string, (text: string) => Promise<unknown>]>([
    ['a statement', sql],
    [
      'a transaction',
      (text) => call('db.transaction', { connection: 'embedded', statements: [{ sql: text, params: {} }] }),
    ],
  ])('%s is stopped and rolled back when its log exceeds the free space', async (_name, perform) => {
    await leave(0);
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, logBytes())), 1);
    await expect(perform('UPDATE t SET n = n + 1')).rejects.toMatchObject({ code: 'disk_reserve' });
    clearInterval(watch);
    // The whole write takes 64 MiB; the rest is written on a busy machine before the guard runs.
    expect(most).toBeLessThan(32 * MIB);
    expect(await sql('SELECT max(n) AS n FROM t')).toMatchObject({ rows: [{ n: 0 }] });
    expect(logBytes()).toBeLessThanOrEqual(WAL_BYTES_KEPT);
    expect(await sql('UPDATE t SET n = 1 WHERE rowid <= 100')).toMatchObject({ rowCount: 100 });
    expect(await sql('DELETE FROM t WHERE rowid <= 100')).toMatchObject({ rowCount: 100 });
  });
});

describe.skipIf(whyNoDisk() !== null)('a disk that another program filled to the last byte', () => {
  test.each(['unused', 'used before'])(
    'refuses every write with disk_reserve (%s), and serves again',
    async (state) => {
      await using disk = await smallDisk(16);
      const parts = { dataDir: disk.path, log: createLogger('test', () => {}), disk: ENDLESS_DISK };
      const guarded = { ...parts, guard: new TargetGuard([]) };
      const tags = createTags({ ...guarded, providers: {} });
      const databases = createDatabases(guarded);
      const all = [createFiles(parts), createVariables(parts), tags, databases];
      const full = new CapabilityBroker(all);
      const ask = <N extends CallName>(name: N, args: CallInput<N>) => full.call(callContext(), name, args);
      const writes = (n: number): (() => Promise<unknown>)[] => [
        () => ask('files.write', { path: `${n}.txt`, content: 'x'.repeat(100_000) }),
        () => ask('vars.set', { name: `v${n}`, value: 'x'.repeat(50_000) }),
        () => ask('tags.write', { path: 'a', value: 'x'.repeat(50_000 + n) }),
        () =>
          ask('db.sql', { connection: 'embedded', sql: `CREATE TABLE t${n} AS SELECT zeroblob(100000) b`, params: {} }),
      ];
      try {
        await databases.configure('p', NO_RESOURCES('p'));
        await tags.configure?.('p', { ...NO_RESOURCES('p'), tags: [memory('a', { type: 'text' })] });
        if (state === 'used before') for (const write of writes(1)) await write();
        await disk.fill();
        const outcomes = await Promise.allSettled(writes(2).map((write) => write()));
        expect(outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : one.status))).toEqual(
          Array.from({ length: 4 }, () => 'disk_reserve'),
        );
        await disk.empty();
        for (const write of writes(3)) await write();
      } finally {
        await Promise.all(all.map((one) => one.close()));
      }
    },
  );
});

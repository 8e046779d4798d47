import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import type { FileOps } from './file-ops.ts';
import { realFileOps } from './file-ops.ts';
import { segmentName } from './format.ts';
import { SegmentWriter } from './segment-writer.ts';
import { verifyChain } from './verify.ts';

const HOUR_MS = 3_600_000;
afterEach(() => void vi.useRealTimers());

const row = (id: string) => `{"time":"${new Date().toISOString()}","type":"use","requestId":"${id}"}\n`;

/** A chain with one row, after which the clock is set. */
function written(path: string, setByMs: number) {
  const folder = join(path, 'gateway');
  const writer = new SegmentWriter({ folder, chain: 'gateway', powerSafe: false }, realFileOps);
  writer.open();
  writer.append(row('before'), null);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + setByMs });
  return { folder, writer };
}

test.each([-HOUR_MS, HOUR_MS])('a clock change of %i ms does not hide that a file is missing', async (setByMs) => {
  await using temp = await tempDir();
  const { folder, writer } = written(temp.path, setByMs);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000);
  fs.unlinkSync(join(folder, segmentName(1)));
  writer.append(row('after'), null);
  writer.close();
  expect(fs.readFileSync(join(folder, segmentName(2)), 'utf8')).toContain('"requestId":"after"');
});

test.each([-HOUR_MS, HOUR_MS])('a clock change of %i ms keeps the chain intact', async (setByMs) => {
  await using temp = await tempDir();
  const { folder, writer } = written(temp.path, setByMs);
  writer.append(row('after'), null);
  writer.stop();
  writer.close();
  expect(await verifyChain({ folder, chain: 'gateway', anchored: [], live: false })).toMatchObject({ findings: [] });
});

/** A disk whose calls fail or wait individually as requested by the test, and which records the open files. */
function disk() {
  const open = new Set<number>();
  const failing = { sync: (_fd: number) => false, unlink: () => false, truncate: () => false };
  const held: (() => void)[] = [];
  const synced: number[] = [];
  const fail = () => {
    throw Object.assign(new Error('EIO: made by the test'), { code: 'EIO' });
  };
  const known = (fd: number) => {
    if (!open.has(fd)) throw new Error(`file ${fd} is not open`);
  };
  const ops: FileOps = {
    ...realFileOps,
    openSync(path, flags, mode) {
      const fd = realFileOps.openSync(path, flags, mode);
      open.add(fd);
      return fd;
    },
    fdatasyncSync(fd) {
      known(fd);
      if (failing.sync(fd)) fail();
      synced.push(fd);
    },
    fdatasync(fd, done) {
      held.push(() => {
        known(fd);
        done(null);
      });
    },
    closeSync(fd) {
      known(fd);
      open.delete(fd);
      realFileOps.closeSync(fd);
    },
    unlinkSync: (path) => (failing.unlink() ? fail() : realFileOps.unlinkSync(path)),
    ftruncateSync: (fd, length) => (failing.truncate() ? fail() : realFileOps.ftruncateSync(fd, length)),
  };
  return { ops, open, failing, held, synced };
}

function once(): () => boolean {
  let left = 1;
  return () => left-- > 0;
}

/** Every row except the first begins a segment. */
function rolling(path: string, ops: FileOps, powerSafe = false) {
  const folder = join(path, 'gateway');
  const writer = new SegmentWriter({ folder, chain: 'gateway', powerSafe, segmentBytesMax: 400 }, ops);
  writer.open();
  let made = 0;
  const add = (count: number) => {
    for (let n = 0; n < count; n++) writer.append(row(`r${++made}`), null);
  };
  const found = () => verifyChain({ folder, chain: 'gateway', anchored: [], live: true });
  return { folder, writer, add, found };
}

test('a closed segment whose sync fails is synced later, and no file is closed twice', async () => {
  await using temp = await tempDir();
  const { ops, open, failing } = disk();
  const { writer, add } = rolling(temp.path, ops);
  add(3);
  const [first, second] = [...open];
  failing.sync = (fd) => fd === second;
  expect(() => writer.syncAll()).toThrow('EIO');
  expect([open.has(first ?? -1), open.has(second ?? -1)]).toEqual([false, true]);
  failing.sync = () => false;
  writer.syncAll();
  expect(open.size).toBe(1);
  writer.close();
  expect(open.size).toBe(0);
});

test('if a disk does not sync closed segments, rows fail only once there are many of them', async () => {
  await using temp = await tempDir();
  const { ops, open, failing } = disk();
  const { writer, add, found } = rolling(temp.path, ops);
  failing.sync = () => true;
  add(50);
  expect(() => add(50)).toThrow('EIO');
  const files = open.size;
  expect(files).toBeLessThan(70);
  expect(() => add(1)).toThrow('EIO');
  expect(open.size).toBe(files);
  failing.sync = () => false;
  add(1);
  writer.syncAll();
  expect(open.size).toBe(1);
  expect((await found()).findings).toEqual([]);
  writer.close();
});

test('a new segment that could be neither synced nor removed is removed by the next row', async () => {
  await using temp = await tempDir();
  const { ops, open, failing } = disk();
  const { writer, add, found } = rolling(temp.path, ops, true);
  add(2);
  const files = open.size;
  failing.sync = once();
  failing.unlink = once();
  expect(() => add(1)).toThrow('EIO');
  expect(open.size).toBe(files);
  add(2);
  // The third one was refused.
  expect(await found()).toMatchObject({ findings: [], rows: 4 });
  writer.close();
});

test('an abandoned segment that cannot be truncated is still synced', async () => {
  await using temp = await tempDir();
  const { ops, open, failing, synced } = disk();
  const folder = join(temp.path, 'gateway');
  const writer = new SegmentWriter({ folder, chain: 'gateway', powerSafe: false }, ops);
  writer.open();
  const [given = -1] = [...open];
  failing.truncate = () => true;
  const write = vi.spyOn(ops, 'writeSync').mockImplementationOnce(() => 0);
  expect(() => writer.append(row('refused'), null)).toThrow('no bytes');
  write.mockRestore();
  writer.append(row('after'), null);
  writer.syncAll();
  expect(synced).toContain(given);
  expect([...open]).not.toContain(given);
  writer.close();
});

test('a file is not closed while another thread syncs it', async () => {
  await using temp = await tempDir();
  const { ops, open, held } = disk();
  const { writer, add } = rolling(temp.path, ops);
  add(2);
  const before = [...open];
  const later = writer.syncLater();
  add(2);
  writer.syncAll();
  expect([...open]).toEqual(expect.arrayContaining(before));
  // It applies to the first file; the others are already synced.
  for (const done of held) done();
  await later;
  expect(open.size).toBe(1);
  writer.close();
});

/**
 * A disk that records the data that reached it, and loses data during a sync as Linux does: the failure is reported
 * once, and the pages count as written.
 */
function forgetfulDisk() {
  const medium = new Map<number, Buffer>();
  const dirty = new Map<number, { from: number; to: number }[]>();
  const failing = { syncs: 0, reads: false };
  const content = (fd: number) => fs.readFileSync(`/proc/self/fd/${fd}`);
  const flush = (fd: number) => {
    const ranges = dirty.get(fd) ?? [];
    dirty.set(fd, []);
    if (failing.syncs-- > 0) throw Object.assign(new Error('EIO: made by the test'), { code: 'EIO' });
    const now = content(fd);
    const before = medium.get(fd) ?? Buffer.alloc(0);
    const after = Buffer.alloc(now.length);
    before.copy(after);
    for (const { from, to } of ranges) now.copy(after, from, from, to);
    medium.set(fd, after);
  };
  const ops: FileOps = {
    ...realFileOps,
    writeSync(fd, bytes, offset, length, position) {
      dirty.set(fd, [...(dirty.get(fd) ?? []), { from: position, to: position + length }]);
      return realFileOps.writeSync(fd, bytes, offset, length, position);
    },
    readSync(fd, bytes, offset, length, position) {
      const read = realFileOps.readSync(fd, bytes, offset, length, position);
      if (failing.reads) bytes.fill(0);
      return read;
    },
    fdatasyncSync: flush,
    fdatasync(fd, done) {
      try {
        flush(fd);
        done(null);
      } catch (error) {
        done(error as Error);
      }
    },
    closeSync: () => undefined,
  };
  const missing = () => [...dirty.keys()].filter((fd) => !(medium.get(fd) ?? Buffer.alloc(0)).equals(content(fd)));
  const closeAll = () => {
    for (const fd of dirty.keys()) realFileOps.closeSync(fd);
  };
  return { ops, failing, missing, closeAll };
}

const onLinux = test.skipIf(process.platform !== 'linux');

onLinux.each(['at once', 'off the thread'])(
  'a sync that failed is not made good by one that succeeds, %s',
  async (how) => {
    await using temp = await tempDir();
    const { ops, failing, missing, closeAll } = forgetfulDisk();
    const { writer, add, found } = rolling(temp.path, ops);
    const sync = async () => {
      if (how === 'at once') writer.syncAll();
      else await writer.syncLater();
    };
    add(4);
    for (const failures of [1, 1, 2]) {
      failing.syncs = failures;
      for (let n = 0; n < failures; n++) await expect(sync()).rejects.toThrow('EIO');
      add(1);
      await sync();
      expect(missing()).toEqual([]);
    }
    expect((await found()).findings).toEqual([]);
    closeAll();
  },
);

onLinux('a batch whose sync failed takes nothing with it that was written before power safety', async () => {
  await using temp = await tempDir();
  const { ops, failing, missing, closeAll } = forgetfulDisk();
  const folder = join(temp.path, 'gateway');
  const writer = new SegmentWriter({ folder, chain: 'gateway', powerSafe: false }, ops);
  writer.open();
  writer.append(row('before'), null);
  writer.powerSafe = true;
  failing.syncs = 1;
  expect(() => writer.append(row('refused'), null)).toThrow('EIO');
  writer.append(row('after'), null);
  expect(missing()).toEqual([]);
  closeAll();
});

onLinux('what cannot be read back as it was written is never said to be on the medium', async () => {
  await using temp = await tempDir();
  const { ops, failing, closeAll } = forgetfulDisk();
  const { writer, add } = rolling(temp.path, ops);
  add(1);
  failing.syncs = 1;
  await expect(writer.syncLater()).rejects.toThrow('EIO');
  failing.reads = true;
  await expect(writer.syncLater()).rejects.toThrow('cannot be read back');
  expect(() => writer.syncAll()).toThrow('cannot be read back');
  closeAll();
});

onLinux('a sync off the thread does not count when the failure was reported to another', async () => {
  await using temp = await tempDir();
  const { ops, failing, missing, closeAll } = forgetfulDisk();
  let release = () => {};
  const held: FileOps = { ...ops, fdatasync: (_fd, done) => void (release = () => done(null)) };
  const folder = join(temp.path, 'gateway');
  const writer = new SegmentWriter({ folder, chain: 'gateway', powerSafe: false }, held);
  writer.open();
  const later = writer.syncLater();
  failing.syncs = 1;
  expect(() => writer.syncAll()).toThrow('EIO');
  release();
  await expect(later).rejects.toThrow('meanwhile');
  writer.syncAll();
  expect(missing()).toEqual([]);
  closeAll();
});

onLinux(
  'what a process that was killed may have lost is written again before its segment counts as synced',
  async () => {
    await using temp = await tempDir();
    const { ops, failing, missing, closeAll } = forgetfulDisk();
    const options = { folder: join(temp.path, 'gateway'), chain: 'gateway', powerSafe: false } as const;
    const killed = new SegmentWriter(options, ops);
    killed.open();
    killed.append(row('before'), null);
    failing.syncs = 1;
    expect(() => killed.syncAll()).toThrow('EIO');
    const next = new SegmentWriter(options, ops);
    next.open();
    next.syncAll();
    // The file descriptor of the killed writer, whose pages nobody syncs any more.
    expect(missing()).toHaveLength(1);
    closeAll();
  },
);

onLinux('a stop that cannot be synced leaves no closing line', async () => {
  await using temp = await tempDir();
  const { ops, failing, closeAll } = forgetfulDisk();
  const folder = join(temp.path, 'gateway');
  const writer = new SegmentWriter({ folder, chain: 'gateway', powerSafe: false }, ops);
  writer.open();
  failing.syncs = 1;
  expect(() => writer.stop()).toThrow('EIO');
  expect(fs.readFileSync(join(folder, segmentName(1)), 'utf8')).not.toContain('{"stop":');
  closeAll();
});

test('if the newest segment does not verify on opening, it is kept and reported; the chain continues in the next', async () => {
  await using temp = await tempDir();
  const folder = join(temp.path, 'gateway');
  const options = { folder, chain: 'gateway', powerSafe: false } as const;
  const before = new SegmentWriter(options, realFileOps);
  before.open();
  before.append(row('lost'), null);
  before.append(row('kept'), null);
  before.close();
  const path = join(folder, segmentName(1));
  const damaged = fs.readFileSync(path, 'latin1').replace('"lost"', '"l st"');
  fs.writeFileSync(path, damaged, 'latin1');
  const writer = new SegmentWriter(options, realFileOps);
  writer.open();
  writer.append(row('after'), null);
  expect([writer.segment, writer.unverified]).toEqual([2, 1]);
  writer.stop();
  writer.close();
  expect(fs.readFileSync(path, 'latin1')).toBe(damaged);
  const { findings } = await verifyChain({ folder, chain: 'gateway', anchored: [], live: false });
  expect(findings).toEqual(['gateway segment 1, batch 2: the content does not match the seal.']);
});

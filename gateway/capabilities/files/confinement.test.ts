import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until, within } from '#test/until.ts';
import { openByDescriptor, openByPath } from './folder-handle.ts';
import { readWhole } from './disk-file.ts';
import { CANARY, type FilesFixture, filesFixture, refusal, snapshot, WAYS } from './files-fixture.ts';

const windows = process.platform === 'win32';

describe.each(WAYS)('folders opened %s', (_way, open) => {
  let fixture: FilesFixture;
  let before: string[];
  beforeEach(async () => {
    fixture = await filesFixture(open);
    writeFileSync(join(fixture.outside, 'victim.txt'), CANARY);
    mkdirSync(join(fixture.outside, 'sub'));
    writeFileSync(join(fixture.outside, 'sub', 'canary.txt'), CANARY);
    before = snapshot(fixture.dir, fixture.root);
  });
  afterEach(async () => {
    expect(snapshot(fixture.dir, fixture.root)).toEqual(before);
    await fixture[Symbol.asyncDispose]();
  });
  const at = (...names: string[]): string => join(fixture.root, ...names);

  test.each([
    ['to a folder outside', () => fixture.outside],
    ['to a folder outside, relative', () => '../../../../outside'],
    ['to the data folder', () => fixture.data],
    ['to the root of the disk', () => '/'],
    ['to the folder above', () => '..'],
    ['to another project', () => join(fixture.data, 'projects')],
    ['to itself', () => 'link'],
    ['to nothing', () => join(fixture.outside, 'none')],
    ['to a folder inside, as no link is followed', () => 'inside'],
  ])('a link %s leads nowhere, in the middle of a path and at its end', async (_what, target) => {
    mkdirSync(at('inside'));
    symlinkSync(target(), at('link'));
    mkdirSync(at('deep'));
    symlinkSync(target(), at('deep', 'link'));
    for (const link of ['link', 'deep/link']) {
      for (const path of [link, `${link}/canary.txt`, `${link}/sub/canary.txt`, `${link}/canary/canary.txt`]) {
        expect(await refusal(fixture.read(path)), path).toBe('file_not_regular');
        expect(await refusal(fixture.write(path)), path).toBe('file_not_regular');
        expect(await refusal(fixture.call('files.remove', { path })), path).toBe('file_not_regular');
      }
      expect(await refusal(fixture.call('files.list', { folder: link }))).toBe('file_not_regular');
    }
    expect(await fixture.call('files.list', {})).toEqual([
      expect.objectContaining({ name: 'deep' }),
      expect.objectContaining({ name: 'inside' }),
    ]);
  });

  test.each([
    ['a file outside', () => join(fixture.outside, 'victim.txt')],
    ['a file of the gateway', () => join(fixture.data, 'canary.txt')],
    ['a device', () => '/dev/zero'],
    ['a file that a process holds open', () => '/proc/self/environ'],
    ['a file that does not exist', () => join(fixture.outside, 'new.txt')],
  ])('a link to %s is neither read, written through nor replaced', async (_what, target) => {
    symlinkSync(target(), at('a.txt'));
    expect(await refusal(fixture.read('a.txt'))).toBe('file_not_regular');
    expect(await refusal(fixture.write('a.txt'))).toBe('file_not_regular');
    expect(await refusal(fixture.call('files.remove', { path: 'a.txt' }))).toBe('file_not_regular');
    expect(snapshot(fixture.root).join()).toContain(target());
  });

  test('a workspace that is itself a link is not used, and the mode of its target is unchanged', async () => {
    rmSync(fixture.root, { recursive: true });
    symlinkSync(fixture.outside, fixture.root);
    expect(await refusal(fixture.read('victim.txt'))).toBe('file_not_regular');
    expect(await refusal(fixture.write('new.txt'))).toBe('file_not_regular');
    expect(await refusal(fixture.call('files.list', {}))).toBe('file_not_regular');
    rmSync(fixture.root);
  });

  test('a hard link is not read, and writing replaces it and leaves its other name unchanged', async () => {
    linkSync(join(fixture.outside, 'victim.txt'), at('a.txt'));
    expect(await refusal(fixture.read('a.txt'))).toBe('file_not_regular');
    await fixture.write('a.txt', 'mine');
    expect(await fixture.read('a.txt')).toBe('mine');
    expect(readFileSync(join(fixture.outside, 'victim.txt'), 'utf8')).toBe(CANARY);
    linkSync(join(fixture.outside, 'victim.txt'), at('b.txt'));
    expect(await fixture.call('files.remove', { path: 'b.txt' })).toBe(true);
  });

  test.skipIf(windows)('a pipe and a socket are refused at once', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const server = createServer().listen(at('socket'));
    await once(server, 'listening');
    for (const path of ['pipe', 'socket']) {
      expect(await within(2_000, path, refusal(fixture.read(path)))).toBe('file_not_regular');
      expect(await within(2_000, path, refusal(fixture.write(path)))).toBe('file_not_regular');
      expect(await refusal(fixture.read(`${path}/a.txt`))).toBe('file_not_regular');
    }
    expect(await fixture.call('files.list', {})).toEqual([]);
    server.close();
    await once(server, 'close');
  });

  test.skipIf(windows)(
    'a file that is replaced by a pipe, a link or a folder just before it is opened is refused',
    async () => {
      writeFileSync(at('a.txt'), 'inside');
      execFileSync('mkfifo', [at('pipe')]);
      symlinkSync(join(fixture.outside, 'victim.txt'), at('link'));
      mkdirSync(at('folder'));
      for (const swapped of ['pipe', 'link', 'folder']) {
        const anchor = await open(fixture.root);
        if (anchor === null) throw new Error('there is no workspace');
        let looked = false;
        const tricked = Object.create(anchor, {
          at: { value: (name: string) => (looked ? anchor.at(swapped) : ((looked = true), anchor.at(name))) },
          confirm: { value: () => Promise.resolve() },
        }) as typeof anchor;
        const read = refusal(readWhole(tricked, 'a.txt').catch((error: unknown) => Promise.reject(error)));
        const outcome = await within(2_000, swapped, read);
        expect(outcome === 'file_not_regular' || (outcome as { code?: string }).code === 'ELOOP', swapped).toBe(true);
        await anchor.close();
      }
    },
  );
});

test.skipIf(process.platform !== 'linux')(
  'a folder opened by descriptor stays the same when its name is given to a link',
  async () => {
    await using fixture = await filesFixture();
    mkdirSync(join(fixture.root, 'sub'));
    const root = await openByDescriptor(fixture.root);
    const sub = await root?.enter('sub');
    rmSync(join(fixture.root, 'sub'), { recursive: true });
    symlinkSync(fixture.outside, join(fixture.root, 'sub'));
    if (!sub || !root) throw new Error('the folder was not opened');
    await expect(readWhole(sub, 'canary.txt')).rejects.toMatchObject({ code: 'file_unknown' });
    await sub.close();
    await root.close();
  },
);

test('a folder opened by path that has become a link is detected before anything is done in it', async () => {
  await using fixture = await filesFixture(openByPath);
  mkdirSync(join(fixture.root, 'sub'));
  const root = await openByPath(fixture.root);
  const sub = await root?.enter('sub');
  rmSync(join(fixture.root, 'sub'), { recursive: true });
  mkdirSync(join(fixture.outside, 'deep'));
  symlinkSync(fixture.outside, join(fixture.root, 'sub'));
  if (!sub) throw new Error('the folder was not opened');
  await expect(readWhole(sub, 'canary.txt')).rejects.toMatchObject({ code: 'file_not_regular' });
  await expect(sub.enter('deep')).rejects.toMatchObject({ code: 'file_not_regular' });
  await expect(sub.check()).rejects.toMatchObject({ code: 'file_not_regular' });
  await expect(sub.check('canary.txt')).rejects.toMatchObject({ code: 'file_not_regular' });
});

test.skipIf(process.platform !== 'linux')(
  'a folder that is constantly swapped for a link never leads outside',
  async () => {
    await using fixture = await filesFixture();
    const at = (...names: string[]): string => join(fixture.root, ...names);
    writeFileSync(join(fixture.outside, 'victim.txt'), CANARY);
    writeFileSync(join(fixture.outside, 'outside.txt'), CANARY);
    const before = snapshot(fixture.dir, fixture.root);
    mkdirSync(at('sub'));
    writeFileSync(at('sub', 'canary.txt'), 'inside');
    writeFileSync(at('sub', 'victim.txt'), 'inside');
    const swapper = await startSwapper(at('sub'), fixture.outside);
    const told = new Map<unknown, number>();
    const note = (outcome: unknown): void => {
      const key = typeof outcome === 'object' ? JSON.stringify(outcome) : outcome;
      told.set(key, (told.get(key) ?? 0) + 1);
    };
    const endMs = performance.now() + 4_000;
    const enough = (): boolean =>
      (told.get('file_not_regular') ?? 0) > 50 && (told.get('{"value":"inside"}') ?? 0) > 50;
    try {
      for (let i = 0; i < 3_000 && performance.now() < endMs && !enough(); i++) {
        note(await refusal(fixture.read('sub/canary.txt')));
        const listed = await refusal(fixture.call('files.list', { folder: 'sub' }));
        expect(JSON.stringify(listed)).not.toContain('outside.txt');
        await refusal(fixture.write('sub/victim.txt', 'written'));
        await refusal(fixture.write(`sub/new-${i}.txt`, 'written'));
        await refusal(fixture.call('files.remove', { path: 'sub/victim.txt' }));
        await refusal(fixture.write('sub/canary.txt', 'inside'));
      }
    } finally {
      await swapper.stop();
    }
    expect(swapper.swaps()).toBeGreaterThan(50);
    for (const key of told.keys()) expect(['{"value":"inside"}', 'file_unknown', 'file_not_regular']).toContain(key);
    expect(told.get('file_not_regular') ?? 0, 'refusals').toBeGreaterThan(0);
    expect(told.get('{"value":"inside"}') ?? 0, 'reads').toBeGreaterThan(0);
    expect(snapshot(fixture.dir, fixture.root)).toEqual(before);
  },
);

const SWAPPER = `
  const { workerData } = require('node:worker_threads');
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const flags = new Int32Array(workerData.flags);
  const attempt = (work) => { try { work(); return true; } catch { return false; } };
  for (let n = 0; Atomics.load(flags, 0) === 0; n++) {
    const aside = workerData.folder + '-' + n;
    if (!attempt(() => renameSync(workerData.folder, aside))) continue;
    if (attempt(() => symlinkSync(workerData.target, workerData.folder))) {
      Atomics.add(flags, 1, 1);
      Atomics.wait(flags, 2, 0, 0.2);
      attempt(() => unlinkSync(workerData.folder));
    }
    attempt(() => renameSync(aside, workerData.folder));
    Atomics.wait(flags, 2, 0, 0.2);
  }
`;

/** A thread that repeatedly swaps a folder for a link to another place and back, until it is stopped. */
async function startSwapper(folder: string, target: string) {
  const flags = new Int32Array(new SharedArrayBuffer(12));
  const worker = new Worker(SWAPPER, { eval: true, workerData: { folder, target, flags: flags.buffer } });
  const swaps = (): number => Atomics.load(flags, 1);
  await until('the folder is being swapped', () => swaps() > 0);
  return {
    swaps,
    async stop() {
      const exited = once(worker, 'exit');
      Atomics.store(flags, 0, 1);
      await exited;
    },
  };
}

import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { noAnchors, notePruning } from './chain-anchors.ts';
import { realFileOps } from './file-ops.ts';
import { parseHeader, partName, segmentName } from './format.ts';
import { pruneChain } from './prune.ts';
import type { PruneStep } from './prune.ts';
import { chainRows } from './read.ts';
import { SegmentWriter } from './segment-writer.ts';
import { verifyChain } from './verify.ts';

afterEach(() => void vi.restoreAllMocks());

/** A closed chain of `rows` rows, every `often`th of them an audited action, whose closed segments are anchored. */
function chainIn(path: string, { rows = 60, often = 2, kept = 'admin' } = {}) {
  const folder = join(path, 'gateway');
  const options = { folder, chain: 'gateway' as const, powerSafe: false, segmentBytesMax: 4_000 };
  const writer = new SegmentWriter(options, realFileOps);
  writer.open();
  for (let n = 0; n < rows; n++) {
    const type = n % often === 0 ? kept : 'use';
    writer.append(`{"time":"${new Date().toISOString()}","type":"${type}","requestId":"r${n}"}\n`, null);
  }
  writer.stop();
  writer.close();
  const anchors = noAnchors();
  Object.assign(anchors, { head: writer.head, sealed: true, closedUpTo: writer.segment - 1 });
  for (let segment = 1; segment < writer.segment; segment++) {
    const next = parseHeader(fs.readFileSync(join(folder, segmentName(segment + 1))));
    const bytes = fs.statSync(join(folder, segmentName(segment))).size;
    const { keptBytes = 0, to = '' } = next?.previous ?? {};
    anchors.closed.set(segment, { seq: (next?.batch ?? 0) - 1, hash: next?.prev ?? '', bytes, keptBytes, to });
  }
  const steps: PruneStep[] = [];
  const quotas = { folder, days: 1, maxBytes: 1, keptBytesMax: 2 ** 30, newest: writer.segment - 2, anchors };
  const vouch = async (step: PruneStep) => {
    steps.push(step);
    notePruning(anchors, step.segment, step.part);
  };
  return {
    folder,
    steps,
    prune: (more: Partial<typeof quotas> = {}) => pruneChain({ ...quotas, ...more }, vouch),
    verify: () => verifyChain({ folder, chain: 'gateway', anchored: [], anchors, live: false }),
    async ids() {
      const ids = [];
      for await (const row of chainRows(folder, () => true)) ids.push(row.requestId);
      return ids;
    },
  };
}

/** Replaces the files that parts are written to; `write` receives the real one. */
function partFiles(write: (real: (bytes: Buffer) => Promise<{ bytesWritten: number }>, bytes: Buffer) => unknown) {
  const files: fs.promises.FileHandle[] = [];
  const open = fs.promises.open.bind(fs.promises);
  vi.spyOn(fs.promises, 'open').mockImplementation(async (path, flags, mode) => {
    const file = await open(path, flags, mode);
    if (!String(path).endsWith('.new')) return file;
    files.push(file);
    const real = file.write.bind(file) as (bytes: Buffer) => Promise<{ bytesWritten: number }>;
    return Object.assign(file, { write: (bytes: Buffer | string) => write(real, Buffer.from(bytes)) });
  });
  return files;
}

test('if a disk writes only part of the data, the rest is written too: no kept row is lost', async () => {
  await using temp = await tempDir();
  const { prune, verify } = chainIn(temp.path);
  partFiles((real, bytes) => real(bytes.subarray(0, Math.ceil(bytes.length / 2))));
  expect(await prune()).toBeGreaterThan(1);
  expect((await verify()).findings).toEqual([]);
});

test('a failed pruning leaves no open file and no partial file', async () => {
  await using temp = await tempDir();
  const { folder, prune, verify } = chainIn(temp.path);
  const files = partFiles(() => Promise.reject(new Error('ENOSPC: made by the test')));
  await expect(prune()).rejects.toThrow('ENOSPC');
  expect(files.map(({ fd }) => fd)).toEqual([-1]);
  expect(fs.readdirSync(folder).filter((name) => name.includes('.part.'))).toEqual([]);
  expect((await verify()).findings).toEqual([]);
});

test('traffic is pruned by size, kept rows remain, and the chain still verifies', async () => {
  await using temp = await tempDir();
  const { folder, prune, verify, ids } = chainIn(temp.path, { rows: 140, often: 10 });
  await prune({ maxBytes: 12_000 });
  expect(fs.existsSync(join(folder, segmentName(1)))).toBe(false);
  expect((await verify()).findings).toEqual([]);
  const left = await ids();
  for (let n = 0; n < 120; n += 10) expect(left).toContain(`r${n}`);
  expect(left).not.toContain('r1');
});

test('a flood of refusals is limited by its own quota and displaces no traffic', async () => {
  await using temp = await tempDir();
  const { prune, verify, ids } = chainIn(temp.path, { rows: 160, often: 2, kept: 'refusal' });
  await prune({ days: 90, maxBytes: 2 ** 30, keptBytesMax: 4_000 });
  expect((await verify()).findings).toEqual([]);
  const left = await ids();
  for (let n = 1; n < 160; n += 2) expect(left).toContain(`r${n}`);
  expect(left).not.toContain('r0');
  expect(left).toContain('r158');
});

test('an edited part file and a removed pruned segment are found', async () => {
  await using temp = await tempDir();
  const { folder, prune, verify } = chainIn(temp.path, { rows: 120, often: 10 });
  await prune();
  const part = join(folder, fs.readdirSync(folder).find((name) => name.includes('.part.')) ?? '');
  fs.writeFileSync(part, fs.readFileSync(part, 'utf8').replace('"r0"', '"rX"'));
  expect((await verify()).findings).toHaveLength(1);
  fs.unlinkSync(part);
  expect((await verify()).findings).toHaveLength(1);
});

test('a part file left by a crash is not reported as tampering', async () => {
  await using temp = await tempDir();
  const { prune, steps, verify } = chainIn(temp.path);
  await prune();
  const parts = steps.length;
  vi.spyOn(fs.promises, 'unlink').mockRejectedValueOnce(new Error('the power went out'));
  await expect(prune({ keptBytesMax: 1 })).rejects.toThrow('the power went out');
  expect((await verify()).findings).toEqual([]);
  await prune({ keptBytesMax: 1 });
  expect(steps.slice(parts, parts + 2)).toMatchObject([
    { segment: 1, part: null, intact: true },
    { segment: 1, part: null, intact: true },
  ]);
  expect((await verify()).findings).toEqual([]);
});

test('changes made before pruning are reported: pruning does not remove the evidence', async () => {
  await using temp = await tempDir();
  const { folder, prune, steps } = chainIn(temp.path);
  const path = join(folder, segmentName(1));
  fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('"r2"', '"rX"'));
  await prune();
  expect(steps.slice(0, 2).map(({ segment, intact }) => [segment, intact])).toEqual([
    [1, false],
    [2, true],
  ]);
});

/** Anchored with its content, as by the host. */
const ROOMY = { days: 90, maxBytes: 1_000_000, keptBytesMax: 1_000_000, newest: 98 };

test.each<[string, (folder: string) => void]>([
  [
    'a planted segment that claims a huge predecessor',
    (folder) => {
      fs.copyFileSync(join(folder, segmentName(2)), join(folder, segmentName(98)));
      editHeader(folder, 2, 99, { segment: 99, previous: { bytes: 1e15, keptBytes: 5e14, from: '', to: '' } });
    },
  ],
  [
    'a planted segment as large as the quota',
    (folder) => fs.writeFileSync(join(folder, segmentName(98)), `{"time":"x","type":"use"}\n`.repeat(100_000)),
  ],
  [
    'a planted part file as large as the quota',
    (folder) =>
      fs.writeFileSync(join(folder, partName(98)), `{"part":98,"rows":"kept","to":""}\n${'x'.repeat(2_000_000)}`),
  ],
  [
    'headers that date their predecessor back and inflate it',
    (folder) => {
      for (const segment of [2, 3, 4])
        editHeader(folder, segment, segment, {
          previous: { bytes: 1e15, keptBytes: 1e14, from: '', to: '2000-01-01T00:00:00.000Z' },
        });
    },
  ],
])('%s removes no row', async (_, forge) => {
  await using temp = await tempDir();
  const { folder, prune, steps } = chainIn(temp.path);
  forge(folder);
  expect(await prune(ROOMY)).toBe(0);
  expect(steps).toEqual([]);
});

function editHeader(folder: string, from: number, to: number, changes: object): void {
  const text = fs.readFileSync(join(folder, segmentName(from)), 'utf8');
  const end = text.indexOf('\n');
  const header = { ...(JSON.parse(text.slice(0, end)) as object), ...changes };
  fs.writeFileSync(join(folder, segmentName(to)), JSON.stringify(header) + text.slice(end));
}

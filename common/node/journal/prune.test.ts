import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { realFileOps } from './file-ops.ts';
import { pruneChain } from './prune.ts';
import { SegmentWriter } from './segment-writer.ts';
import { verifyChain } from './verify.ts';

afterEach(() => void vi.restoreAllMocks());

/** Some segments with uses and acts; the uses are to go. */
function chainIn(path: string) {
  const folder = join(path, 'gateway');
  const options = { folder, chain: 'gateway' as const, powerSafe: false, segmentBytesMax: 4_000 };
  const writer = new SegmentWriter(options, realFileOps);
  writer.open();
  for (let n = 0; n < 60; n++) {
    const type = n % 2 === 0 ? 'use' : 'admin';
    writer.append(`{"time":"${new Date().toISOString()}","type":"${type}","requestId":"r${n}"}\n`, null);
  }
  const record = (line: string) => writer.append(line, null);
  const quotas = { folder, chain: 'gateway' as const, days: 1, maxBytes: 1, keptBytesMax: 2 ** 30 };
  return { folder, writer, prune: () => pruneChain(quotas, writer.segment, record) };
}

/** What part files are written to: `write` gets the real one. */
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

test('a disk that takes a part of what is written gets the rest: no kept row is lost', async () => {
  await using temp = await tempDir();
  const { folder, writer, prune } = chainIn(temp.path);
  partFiles((real, bytes) => real(bytes.subarray(0, Math.ceil(bytes.length / 2))));
  expect(await prune()).toBeGreaterThan(1);
  writer.stop();
  writer.close();
  expect((await verifyChain({ folder, chain: 'gateway', anchored: [], live: false })).findings).toEqual([]);
});

test('a pruning that fails leaves neither an open file nor a part of one', async () => {
  await using temp = await tempDir();
  const { folder, writer, prune } = chainIn(temp.path);
  const files = partFiles(() => Promise.reject(new Error('ENOSPC: made by the test')));
  await expect(prune()).rejects.toThrow('ENOSPC');
  expect(files.map(({ fd }) => fd)).toEqual([-1]);
  expect(fs.readdirSync(folder).filter((name) => name.includes('.part.'))).toEqual([]);
  writer.stop();
  writer.close();
  expect((await verifyChain({ folder, chain: 'gateway', anchored: [], live: false })).findings).toEqual([]);
});

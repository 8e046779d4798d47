import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
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

test.each([-HOUR_MS, HOUR_MS])('a clock that is set by %i ms does not hide a file that has gone', async (setByMs) => {
  await using temp = await tempDir();
  const { folder, writer } = written(temp.path, setByMs);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000);
  fs.unlinkSync(join(folder, segmentName(1)));
  writer.append(row('after'), null);
  writer.close();
  expect(fs.readFileSync(join(folder, segmentName(2)), 'utf8')).toContain('"requestId":"after"');
});

test.each([-HOUR_MS, HOUR_MS])('a clock that is set by %i ms leaves the chain whole', async (setByMs) => {
  await using temp = await tempDir();
  const { folder, writer } = written(temp.path, setByMs);
  writer.append(row('after'), null);
  writer.stop();
  writer.close();
  expect(await verifyChain({ folder, chain: 'gateway', anchored: [], live: false })).toMatchObject({ findings: [] });
});

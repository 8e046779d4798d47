import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { realFileOps } from './file-ops.ts';
import { readRing, RingFile, slotText } from './ring.ts';

const slot = (seq: number) => ({
  seq,
  text: slotText({
    seq,
    fold: 'a',
    count: seq,
    period: 1,
    row: { time: new Date().toISOString(), type: 'refusal', requestId: `r${seq}` },
  }),
});

test('an incomplete ring is created again before anything is written to it', async () => {
  await using temp = await tempDir();
  const path = join(temp.path, 'refusals.ring');
  const ops = { ...realFileOps };
  const ring = new RingFile(path, ops);
  ring.open();
  fs.unlinkSync(path);
  const full = vi.spyOn(ops, 'writeSync').mockImplementationOnce(() => 0);
  expect(() => ring.write([slot(1)])).toThrow('no bytes');
  full.mockRestore();
  ring.write([slot(2)]);
  ring.close();
  const again = new RingFile(path, ops);
  again.open();
  expect(readRing(path).entries.map(({ seq }) => seq)).toEqual([2]);
  again.close();
});

test('a ring whose file could not be closed does not close the same descriptor again', async () => {
  await using temp = await tempDir();
  const ops = { ...realFileOps };
  const ring = new RingFile(join(temp.path, 'refusals.ring'), ops);
  ring.open();
  const close = vi.spyOn(ops, 'closeSync').mockImplementation((fd) => {
    realFileOps.closeSync(fd);
    throw new Error('EIO: made by the test');
  });
  expect(() => ring.close()).toThrow('EIO');
  ring.close();
  expect(close).toHaveBeenCalledTimes(1);
});

import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lastSeal, segmentName } from '#common/node/journal/format.ts';
import { chainRows } from '#common/node/journal/read.ts';
import { createFaults, FAULT } from '#common/node/journal/testing/faults.ts';
import { plainChain } from '#common/node/journal/testing/plain-chain.ts';
import { readRing, RING_FILE } from '#common/node/journal/ring.ts';
import { verifyChain } from '#common/node/journal/verify.ts';
import { openWriter } from '#common/node/journal/writer.ts';
import type { ChainWriter, WriterOptions } from '#common/node/journal/writer.ts';
import { PATIENT_WAIT } from '#test/until.ts';

vi.setConfig({ testTimeout: 60_000 });
let folder: string;
const open: ChainWriter[] = [];
const warnings: string[] = [];

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'sluice-journal-'));
});
afterEach(async () => {
  for (const writer of open.splice(0)) await writer.close();
  expect(warnings.splice(0)).toEqual([]);
  fs.rmSync(folder, { recursive: true, force: true });
});

async function writerOf(more: Partial<WriterOptions> = {}): Promise<ChainWriter> {
  const writer = await openWriter({
    ...plainChain(folder, 'host'),
    // A busy machine must not fail tests that are not about time.
    ackMsMax: more.faults ? 800 : 20_000,
    onWarning: (reason) => warnings.push(reason),
    ...more,
  });
  open.push(writer);
  if (!more.faults) await vi.waitFor(() => expect(writer.state).toBe('ok'), { timeout: 30_000 });
  return writer;
}

const row = (n: number, type = 'use', pad = '') =>
  `{"time":"${new Date().toISOString()}","type":"${type}","requestId":"r${n}","path":"${pad}"}`;
const commit = (writer: ChainWriter, line: string) => new Promise<boolean>((resolve) => writer.append(line, resolve));
const recover = async (writer: ChainWriter, faults: ReturnType<typeof createFaults>) => {
  faults.set('none');
  await vi.waitFor(() => expect(writer.state).toBe('ok'), { timeout: 15_000 });
};
const chain = () => join(folder, 'host');
const verify = (anchored: Parameters<typeof verifyChain>[0]['anchored'] = [], live = true) =>
  verifyChain({ folder: chain(), chain: 'host', anchored, live });

async function ids(): Promise<string[]> {
  const found: string[] = [];
  for await (const { requestId } of chainRows(chain(), () => true)) if (requestId) found.push(requestId);
  return found;
}

test('rows of one turn become one sealed batch, and the chain verifies', async () => {
  const writer = await writerOf();
  expect(await Promise.all([1, 2, 3].map((n) => commit(writer, row(n))))).toEqual([true, true, true]);
  const report = await verify();
  expect(report).toMatchObject({ findings: [], rows: 3, batches: 2, segments: 1 });
  expect(await ids()).toEqual(['r1', 'r2', 'r3']);
});

test('non-ASCII text is preserved', async () => {
  const writer = await writerOf();
  await commit(writer, row(1, 'use', 'Größe ✓ 線'));
  expect((await verify()).findings).toEqual([]);
  expect(fs.readFileSync(join(chain(), segmentName(1)), 'utf8')).toContain('Größe ✓ 線');
});

test('a clean stop is not reported as unclean; a chain continues where it ended', async () => {
  const first = await writerOf();
  await commit(first, row(1));
  await first.close();
  const second = await writerOf();
  await commit(second, row(2));
  await second.close();
  expect(await verify([], false)).toMatchObject({ findings: [], uncleanStops: [], rows: 2, segments: 1 });
});

test('the head is reported once it is durable, and as clean on closing', async () => {
  const heads: [number, boolean][] = [];
  const writer = await writerOf({ durableEveryMs: 20, onHead: (head, clean) => heads.push([head.seq, clean]) });
  await commit(writer, row(1));
  await vi.waitFor(() => expect(heads.at(-1)).toEqual([2, false]), PATIENT_WAIT);
  await writer.close();
  expect(heads.at(-1)).toEqual([3, true]);
  expect((await verify([], false)).head?.seq).toBe(3);
});

test('the head is reported right after opening, before any row', async () => {
  const heads: number[] = [];
  await writerOf({ onHead: (head) => heads.push(head.seq) });
  await vi.waitFor(() => expect(heads).toEqual([1]), PATIENT_WAIT);
});

test('segments roll by size and the chain continues across them', async () => {
  const writer = await writerOf({ segmentBytesMax: 2_000 });
  for (let n = 0; n < 30; n++) await commit(writer, row(n));
  const report = await verify();
  expect(report.segments).toBeGreaterThan(3);
  expect(report).toMatchObject({ findings: [], rows: 30 });
});

test('the last segment, cut at any byte, is recovered up to its last sealed batch', { timeout: 120_000 }, async () => {
  const writer = await writerOf({ segmentBytesMax: 700 });
  for (let n = 0; n < 6; n++) await commit(writer, row(n));
  await writer.close();
  const names = fs.readdirSync(chain()).toSorted();
  const last = join(chain(), names.at(-1) ?? '');
  const whole = fs.readFileSync(last);
  const older = new Map(names.slice(0, -1).map((name) => [name, fs.readFileSync(join(chain(), name))]));
  const { SegmentWriter } = await import('#common/node/journal/segment-writer.ts');
  const { realFileOps } = await import('#common/node/journal/file-ops.ts');
  for (let length = 0; length < whole.length; length++) {
    for (const name of fs.readdirSync(chain())) fs.unlinkSync(join(chain(), name));
    for (const [name, bytes] of older) fs.writeFileSync(join(chain(), name), bytes);
    fs.writeFileSync(last, whole.subarray(0, length));
    const again = new SegmentWriter(
      { folder: chain(), chain: 'host', powerSafe: false, segmentBytesMax: 700 },
      realFileOps,
    );
    again.open();
    again.append(`${row(99)}\n`, null);
    again.close();
    const report = await verify();
    expect({ length, findings: report.findings }).toEqual({ length, findings: [] });
    expect(report.uncleanStops).toHaveLength(1);
    expect((await ids()).at(-1)).toBe('r99');
  }
});

const sleepSync = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** True if the newest segment contains only sealed batches. */
function endsSealed(): boolean {
  const bytes = fs.readFileSync(join(chain(), segmentName(1)));
  return lastSeal(bytes)?.end === bytes.length;
}

test('a torn batch is cut off even when it is longer than what is written next', async () => {
  const first = await writerOf();
  await commit(first, row(1));
  await first.close();
  fs.appendFileSync(join(chain(), segmentName(1)), `${row(2, 'use', 'x'.repeat(9_000))}\n${row(3).slice(0, 50)}`);
  const second = await writerOf();
  expect(endsSealed()).toBe(true);
  await second.close();
  expect(await verify([], false)).toMatchObject({ findings: [], uncleanStops: [{}] });
});

/** A write torn by a power cut: sectors are missing, and the seal line may be present nevertheless. */
test('a last batch whose first sectors were never written is not a finding and is cut off', async () => {
  const first = await writerOf();
  await commit(first, row(1));
  await first.close();
  const file = join(chain(), segmentName(1));
  const whole = fs.readFileSync(file);
  const second = await writerOf();
  await commit(second, row(2, 'use', 'x'.repeat(2_000)));
  await second.close();
  const torn = fs.readFileSync(file).fill(0, whole.length, whole.length + 1_000);
  fs.writeFileSync(file, torn);
  expect(await verify([], false)).toMatchObject({ findings: [], rows: 1, uncleanStops: [{}] });
  expect(await ids()).toEqual(['r1']);
  const third = await writerOf();
  await commit(third, row(3));
  expect(endsSealed()).toBe(true);
  await third.close();
  expect(await verify([], false)).toMatchObject({ findings: [], rows: 2 });
  expect(await ids()).toEqual(['r1', 'r3']);
});

test.each([
  ['empty', 0],
  ['all zero', 500],
])('a newest segment that is %s is not a finding, and the next start removes it', async (_name, bytes) => {
  const first = await writerOf();
  await commit(first, row(1));
  await first.close();
  fs.writeFileSync(join(chain(), segmentName(2)), Buffer.alloc(bytes));
  expect((await verify([], false)).findings).toEqual([]);
  const second = await writerOf();
  await second.close();
  expect(fs.readdirSync(chain()).filter((name) => name.endsWith('.jsonl'))).toEqual([segmentName(1)]);
});

test('a full disk fails the batch, and the journal recovers automatically without a gap', async () => {
  const faults = createFaults();
  const states: string[] = [];
  const writer = await writerOf({ faults, onState: (state) => states.push(state) });
  expect(await commit(writer, row(1))).toBe(true);
  faults.set('shortThenFull');
  expect(await commit(writer, row(2, 'use', 'x'.repeat(9_000)))).toBe(false);
  expect(writer.state).toBe('unavailable');
  expect(await commit(writer, row(3))).toBe(false);
  expect(endsSealed()).toBe(true);
  await recover(writer, faults);
  expect(await commit(writer, row(4))).toBe(true);
  expect(await verify()).toMatchObject({ findings: [], rows: 2 });
  expect(await ids()).toEqual(['r1', 'r4']);
  expect(states).toEqual(['ok', 'unavailable', 'ok']);
});

test('a disk that is full when the journal opens makes it unavailable, not broken', async () => {
  const faults = createFaults();
  faults.set('full');
  const writer = await writerOf({ faults });
  expect(writer.state).toBe('unavailable');
  expect(await commit(writer, row(1))).toBe(false);
  await recover(writer, faults);
  expect(await commit(writer, row(2))).toBe(true);
  expect((await verify()).findings).toEqual([]);
});

test('bytes cut off by an opening are reported by the one that succeeds', async () => {
  const first = await writerOf();
  await commit(first, row(1));
  await first.close();
  fs.appendFileSync(join(chain(), segmentName(1)), 'torn');
  const faults = createFaults();
  faults.set('full');
  const writer = await writerOf({ faults });
  expect(writer.state).toBe('unavailable');
  await recover(writer, faults);
  expect(await verify()).toMatchObject({ findings: [], uncleanStops: [{ bytesDropped: 4 }] });
});

test('a ring that cannot be opened does not report unclean stops', async () => {
  const ring = join(chain(), RING_FILE);
  fs.mkdirSync(ring, { recursive: true });
  const writer = await writerOf({ ring: true, faults: createFaults() });
  expect(writer.state).toBe('unavailable');
  fs.rmdirSync(ring);
  await vi.waitFor(() => expect(writer.state).toBe('ok'), { timeout: 15_000 });
  expect(await commit(writer, row(1))).toBe(true);
  await writer.close();
  expect(await verify([], false)).toMatchObject({ findings: [], uncleanStops: [], rows: 1 });
});

test('a chain whose ring was never opened is closed cleanly', async () => {
  fs.mkdirSync(join(chain(), RING_FILE), { recursive: true });
  const writer = await writerOf({ ring: true, faults: createFaults() });
  expect(writer.state).toBe('unavailable');
  await writer.close();
  expect(await verify([], false)).toMatchObject({ findings: [], uncleanStops: [] });
});

test('a stalled disk is reported within a second, rows are refused immediately, and cancelled rows are not written later', async () => {
  const faults = createFaults();
  const late: string[] = [];
  const lateRow = (line: string) => {
    late.push(line);
    return row(100, 'outcome');
  };
  const writer = await writerOf({ faults, lateRow });
  faults.set('hang');
  const from = performance.now();
  const first = commit(writer, row(1));
  await vi.waitFor(() => expect(faults.heldUp).toBe(1), PATIENT_WAIT);
  const second = commit(writer, row(2));
  expect(await Promise.all([first, second])).toEqual([false, false]);
  expect(performance.now() - from).toBeLessThan(1_000);
  const atOnce = performance.now();
  expect(await commit(writer, row(3))).toBe(false);
  expect(performance.now() - atOnce).toBeLessThan(200);
  await recover(writer, faults);
  expect(await commit(writer, row(4))).toBe(true);
  expect(late).toHaveLength(1);
  expect(await ids()).toEqual(['r1', 'r100', 'r4']);
  expect((await verify()).findings).toEqual([]);
});

test('the rows that wait for a stalled disk are limited: above 32 MiB, an append fails immediately', async () => {
  const faults = createFaults();
  const writer = await writerOf({ faults, ackMsMax: 60_000 });
  faults.set('hang');
  const results: boolean[] = [];
  const all = Array.from({ length: 40 }, (_, n) => commit(writer, row(n, 'use', 'x'.repeat(1_048_576))));
  for (const result of all) void result.then((ok) => results.push(ok));
  await vi.waitFor(() => expect(results.length).toBeGreaterThan(5), PATIENT_WAIT);
  expect(results.every((ok) => !ok)).toBe(true);
  faults.set('none');
  const ok = (await Promise.all(all)).filter(Boolean).length;
  expect(ok).toBeGreaterThanOrEqual(31);
  expect(ok).toBeLessThanOrEqual(33);
});

test('removing the folder of an open journal is noticed, and rows go to a new segment', async () => {
  const writer = await writerOf();
  await commit(writer, row(1));
  fs.renameSync(chain(), `${chain()}-gone`);
  await vi.waitFor(async () => {
    await commit(writer, row(2));
    expect(fs.existsSync(join(chain(), segmentName(2)))).toBe(true);
  }, PATIENT_WAIT);
  expect(await commit(writer, row(3))).toBe(true);
  expect(await ids()).toContain('r3');
  expect((await verify()).findings).toHaveLength(1);
  // A pruning that was reading the folder may report it.
  warnings.length = 0;
});

test('with power durability, nothing is acknowledged that could not be synced', async () => {
  const faults = createFaults();
  // Long enough that a starved thread is not the cause: its row would be written late.
  const writer = await writerOf({ faults, durability: 'power', ackMsMax: 20_000 });
  faults.set('noSync');
  expect(await commit(writer, row(1))).toBe(false);
  await recover(writer, faults);
  expect(await ids()).toEqual([]);
  // The sync of the opening may be running when that of the row fails: it reports the doubt and loses nothing.
  expect(['', 'another sync of the journal failed meanwhile']).toContain(warnings.splice(0).join());
});

test('a thread that ends is replaced, and its unacknowledged rows fail', async () => {
  const faults = createFaults();
  const writer = await writerOf({ faults: { ...faults, module: new URL('./testing/crash.ts', import.meta.url).href } });
  expect(await commit(writer, row(1))).toBe(true);
  faults.set('error');
  expect(await commit(writer, row(2))).toBe(false);
  await recover(writer, faults);
  expect(await commit(writer, row(3))).toBe(true);
  expect((await verify()).findings).toEqual([]);
});

test('a thread that fails and then ends is replaced once', async () => {
  const faults = createFaults();
  const crash = { ...faults, module: new URL('./testing/crash.ts', import.meta.url).href };
  const opened: unknown[] = [];
  const states: string[] = [];
  const writer = await writerOf({
    faults: crash,
    onOpened: (ring) => void opened.push(ring),
    onState: (state) => void states.push(state),
  });
  faults.set('throwLater');
  await commit(writer, row(1));
  await vi.waitFor(() => expect(states).toEqual(['ok', 'unavailable', 'ok']), { timeout: 15_000 });
  await commit(writer, row(2));
  await writer.close();
  expect(opened).toHaveLength(2);
  expect((await verify()).findings).toEqual([]);
});

test('the outcome of a batch is reported for this batch, not for the previous one', async () => {
  const faults = createFaults();
  const writer = await writerOf({ faults });
  faults.set('lastWrite');
  // Long enough to be posted immediately and alone.
  const first = commit(writer, row(1, 'use', 'x'.repeat(1_100_000)));
  Atomics.wait(new Int32Array(faults.shared), 0, FAULT.lastWrite);
  const settled = new Promise<boolean>((resolve) => {
    writer.appendWith(row(2), { settled: resolve }, () => {});
  });
  expect([await first, await settled]).toEqual([true, false]);
  faults.set('none');
});

test('rows that a thread acknowledged before it ended stay acknowledged', async () => {
  const faults = createFaults();
  const words = new Int32Array(faults.shared);
  const crash = { ...faults, module: new URL('./testing/crash.ts', import.meta.url).href };
  const writer = await writerOf({ faults: crash, ackMsMax: 20_000 });
  expect(await commit(writer, row(1))).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  faults.set('lastWrite');
  // Long enough to be posted immediately. This thread receives nothing before the other one has ended.
  const written = commit(writer, row(2, 'use', 'x'.repeat(1_100_000)));
  Atomics.wait(words, 0, FAULT.lastWrite);
  const torn = commit(writer, row(3, 'use', 'x'.repeat(1_100_000)));
  Atomics.wait(words, 1, 0);
  sleepSync(20);
  expect(await Promise.all([written, torn])).toEqual([true, false]);
  await recover(writer, faults);
  expect(await ids()).toEqual(['r1', 'r2']);
});

test('a row that was written late is followed by its late row even if the disk fails in between', async () => {
  const faults = createFaults();
  const writer = await writerOf({ faults, lateRow: (line) => (line.includes('r100') ? null : row(100, 'outcome')) });
  faults.set('hang');
  expect(await commit(writer, row(1))).toBe(false);
  faults.set('lastWrite');
  await vi.waitFor(async () => expect(await ids()).toEqual(['r1']), PATIENT_WAIT);
  await vi.waitFor(() => expect(writer.state).toBe('unavailable'), PATIENT_WAIT);
  faults.set('none');
  await vi.waitFor(async () => expect(await ids()).toEqual(['r1', 'r100']), { timeout: 15_000 });
});

test('a ring mark ends with its batch', async () => {
  const faults = createFaults();
  const writer = await writerOf({ faults, ring: true });
  const file = join(chain(), segmentName(1));
  const long = 'x'.repeat(1_100_000);
  const settled = await new Promise<boolean>((resolve) => {
    // At the end of this turn the reply to the first row has arrived and the second is overdue: rows in between are not
    // posted.
    setImmediate(() => {
      writer.append(row(1, 'use', long), () => {
        writer.appendWith(row(3), { mark: 7, settled: resolve }, () => {});
      });
      while (lastSeal(fs.readFileSync(file))?.seal.seq !== 2);
      faults.set('hang');
      writer.append(row(2, 'use', long), () => {});
      Atomics.wait(new Int32Array(faults.shared), 1, 0);
      sleepSync(900);
    });
  });
  expect(settled).toBe(false);
  await recover(writer, faults);
  expect(await commit(writer, row(4))).toBe(true);
  await writer.close();
  expect(await ids()).toEqual(['r1', 'r2', 'r4']);
  expect(readRing(join(chain(), RING_FILE)).accounted).toBe(0);
});

test('callers that wait for the outcome of a batch receive it on closing', async () => {
  const faults = createFaults();
  const crash = { ...faults, module: new URL('./testing/crash.ts', import.meta.url).href };
  const writer = await writerOf({ faults: crash });
  faults.set('error');
  const settled = new Promise<boolean>((resolve) => {
    writer.appendWith(row(1), { mark: 1, settled: resolve }, () => {});
  });
  await vi.waitFor(() => expect(writer.state).toBe('unavailable'), PATIENT_WAIT);
  await writer.close();
  expect(await settled).toBe(false);
});

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuditRow, ChainHead } from '#common/model/audit.ts';
import { batchAt, segmentName } from '#common/node/journal/format.ts';
import { RING_FILE, RingFile, slotText } from '#common/node/journal/ring.ts';
import { realFileOps } from '#common/node/journal/file-ops.ts';
import { createFaults } from '#common/node/journal/testing/faults.ts';
import { openWriter } from '#common/node/journal/writer.ts';
import type { ChainWriter, WriterOptions } from '#common/node/journal/writer.ts';
import { createLogger } from '#common/node/log.ts';
import { PATIENT_WAIT } from '#test/until.ts';
import { adminActs } from './admin-acts.ts';
import { openHeads, readAnchors, sealHeads } from './anchors.ts';
import { openAudit } from './audit.ts';
import type { AuditOptions, AuditStore } from './audit.ts';
import { INDEX_FILE } from './index-worker.ts';
import { verifyJournal } from './verify-journal.ts';

const anchorKey = randomBytes(32);
/** These tests are not about time: a busy machine must not make them fail. */
const PATIENT = { ackMsMax: 20_000 };
vi.setConfig({ testTimeout: 60_000 });
let folder: string;
let anchorsFile: string;
let logged: string[];
const open: { close(): Promise<void> }[] = [];

beforeEach(() => {
  folder = join(fs.mkdtempSync(join(tmpdir(), 'sluice-audit-')), 'journal');
  anchorsFile = join(folder, '..', 'anchors');
  logged = [];
});
afterEach(async () => {
  for (const part of open.splice(0).toReversed()) await part.close();
  fs.rmSync(join(folder, '..'), { recursive: true, force: true });
});

async function auditOf(more: Partial<AuditOptions> = {}): Promise<AuditStore> {
  const log = createLogger('audit', (line) => logged.push(line));
  const audit = await openAudit({
    folder,
    anchorsFile,
    anchorKey,
    days: 90,
    maxBytes: 2 ** 31,
    log,
    writer: PATIENT,
    ...more,
  });
  open.push(audit);
  return audit;
}

async function gatewayOf(more: Partial<WriterOptions> = {}): Promise<ChainWriter> {
  const base = { folder, chain: 'gateway', durability: 'process' } as const;
  const writer = await openWriter({ ...base, ...PATIENT, onHead: () => {}, onState: () => {}, ...more });
  await vi.waitFor(() => expect(writer.state).toBe('ok'), { timeout: 30_000 });
  open.push(writer);
  return writer;
}

async function close(part: { close(): Promise<void> }): Promise<void> {
  open.splice(open.indexOf(part), 1);
  await part.close();
}

let clock = Date.parse('2026-03-01T06:00:00.000Z');
const rowOf = (more: Partial<AuditRow>): AuditRow => ({
  time: new Date((clock += 1_000)).toISOString(),
  type: 'use',
  ...more,
});
const commit = async (writer: ChainWriter, more: Partial<AuditRow>): Promise<AuditRow> => {
  const row = rowOf(more);
  expect(await new Promise((resolve) => writer.append(JSON.stringify(row), resolve))).toBe(true);
  return row;
};
const verify = (vaultHeads: ChainHead[] = []) => verifyJournal({ folder, anchorsFile, anchorKey, vaultHeads });
async function collect(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

test('a recorded action is found at once, newest first, merged with the rows of the gateway', async () => {
  const audit = await auditOf();
  const gateway = await gatewayOf();
  for (let n = 0; n < 20; n++) {
    await commit(gateway, { requestId: `r${n}` });
    expect((await audit.query({ requestId: `r${n}` })).items).toHaveLength(1);
  }
  await audit.record({ act: 'key.create', target: 'abc', user: 'Ada' });
  const { items } = await audit.query({});
  expect(items[0]).toMatchObject({ type: 'admin', act: 'key.create', user: 'Ada' });
  expect(items.slice(1).map((row) => row.requestId)).toEqual(Array.from({ length: 20 }, (_, n) => `r${19 - n}`));
});

test('an action whose record cannot be written is refused with audit_unavailable', async () => {
  const faults = createFaults();
  const audit = await auditOf({ writer: { faults } });
  faults.set('full');
  await expect(audit.record({ act: 'key.create' })).rejects.toMatchObject({ code: 'audit_unavailable' });
});

test('a key in a recorded text is masked', async () => {
  const audit = await auditOf();
  await audit.record({ act: 'x', detail: `slc_abcdefghijkl_${'y'.repeat(49)}` });
  expect((await audit.query({})).items[0]?.detail).toBe('slc_abcdefghijkl_…');
});

test('each filter selects, and filters combine', async () => {
  const audit = await auditOf();
  const gateway = await gatewayOf();
  const a = await commit(gateway, {
    requestId: 'a',
    project: 'p1',
    keyId: 'k1',
    route: '/x',
    code: 'rate_limited',
    type: 'refusal',
  });
  const b = await commit(gateway, { requestId: 'b', clientRequestId: 'mine', project: 'p2', keyId: 'k1', route: '/y' });
  const c = await commit(gateway, {
    requestId: 'c',
    project: 'p1',
    keyId: 'k2',
    route: '/x',
    type: 'outcome',
    status: 200,
  });
  const ids = async (filter: Parameters<AuditStore['query']>[0]) =>
    (await audit.query(filter)).items.map((row) => row.requestId);
  expect(await ids({ project: 'p1' })).toEqual(['c', 'a']);
  expect(await ids({ keyId: 'k1' })).toEqual(['b', 'a']);
  expect(await ids({ route: '/y' })).toEqual(['b']);
  expect(await ids({ code: 'rate_limited' })).toEqual(['a']);
  expect(await ids({ requestId: 'a' })).toEqual(['a']);
  expect(await ids({ requestId: 'mine' })).toEqual(['b']);
  expect(await ids({ type: 'outcome' })).toEqual(['c']);
  expect(await ids({ from: b.time })).toEqual(['c', 'b']);
  expect(await ids({ to: b.time })).toEqual(['b', 'a']);
  expect(await ids({ from: a.time, to: c.time, project: 'p1', keyId: 'k2' })).toEqual(['c']);
  expect(await ids({ project: 'none' })).toEqual([]);
});

test('pages continue where they ended, without gap or repetition, also within one millisecond', async () => {
  const audit = await auditOf();
  const gateway = await gatewayOf();
  const time = '2026-03-02T00:00:00.000Z';
  for (let n = 0; n < 25; n++) await commit(gateway, { requestId: `r${n}`, time });
  const seen: (string | undefined)[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<AuditStore['query']>> = await audit.query({ limit: 7, ...(cursor && { cursor }) });
    seen.push(...page.items.map((row) => row.requestId));
    cursor = page.next;
  } while (cursor !== null);
  expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `r${24 - n}`));
});

test('an invalid time or cursor is refused with a sentence that names it', async () => {
  const audit = await auditOf();
  await expect(audit.query({ from: 'yesterday' })).rejects.toMatchObject({
    code: 'invalid',
    errors: [{ path: 'from' }],
  });
  await expect(audit.query({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid', errors: [{ path: 'cursor' }] });
});

test('lastUsed is the time of each key’s last use', async () => {
  const audit = await auditOf();
  const gateway = await gatewayOf();
  await commit(gateway, { keyId: 'k1' });
  const last = await commit(gateway, { keyId: 'k1' });
  await commit(gateway, { keyId: 'k1', type: 'outcome' });
  expect(await audit.lastUsed()).toEqual(new Map([['k1', last.time]]));
});

test.each(['deleted', 'damaged', 'another version'])('an index that is %s is rebuilt', async (how) => {
  const first = await auditOf();
  const gateway = await gatewayOf();
  await commit(gateway, { requestId: 'r1' });
  await first.query({});
  await close(first);
  const file = join(folder, INDEX_FILE);
  if (how === 'deleted') fs.rmSync(file);
  if (how === 'damaged') fs.writeFileSync(file, randomBytes(8_192));
  if (how === 'another version') {
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
  }
  const audit = await auditOf();
  expect((await audit.query({ requestId: 'r1' })).items).toHaveLength(1);
});

test('an index that is damaged while the database is open is rebuilt', async () => {
  const audit = await auditOf();
  const gateway = await gatewayOf();
  for (let n = 0; n < 500; n++) await commit(gateway, { requestId: `r${n}`, project: 'p'.repeat(60) });
  await audit.query({});
  await close(audit);
  const file = join(folder, INDEX_FILE);
  const bytes = fs.readFileSync(file);
  // Only the middle: the parts that are read when the journal is opened stay intact.
  bytes.fill(0xff, Math.ceil(bytes.length / 3 / 4_096) * 4_096, Math.ceil((bytes.length * 2) / 3 / 4_096) * 4_096);
  fs.writeFileSync(file, bytes);
  const again = await auditOf();
  expect((await again.query({ requestId: 'r77' })).items).toHaveLength(1);
  expect((await again.query({ limit: 1_000, type: 'use' })).items).toHaveLength(500);
});

describe('the thread of the index', () => {
  const never = 3_600_000;
  const asleep = { firstMs: never, quietMs: never, wakeBatches: never, wakeMs: never, lookMs: 5 };
  const file = (): string => join(folder, INDEX_FILE);
  const indexed = (): number => {
    if (!fs.existsSync(file())) return 0;
    // Without locks and side files: only the thread uses the index.
    const database = new DatabaseSync(new URL(`${pathToFileURL(file()).href}?immutable=1`), { readOnly: true });
    try {
      return Number(database.prepare("SELECT count(*) AS n FROM rows WHERE chain = 'gateway'").get()?.['n']);
    } catch {
      return 0; // Just being made.
    } finally {
      database.close();
    }
  };
  /** The last connection to a database removes its side files when it is closed. */
  const ended = (): boolean => fs.existsSync(file()) && !fs.existsSync(`${file()}-wal`);
  const seen = (what: () => void) => vi.waitFor(what, { timeout: 20_000 });
  const headAt = (seq: number): ChainHead => ({ chain: 'gateway', seq, hash: '', time: '' });

  test('indexes the journal by itself, and ends when nothing is new', async () => {
    const gateway = await gatewayOf();
    await commit(gateway, { requestId: 'r1' });
    await auditOf({ index: { ...asleep, firstMs: 1, quietMs: 200 } });
    await seen(() => expect(indexed()).toBe(1));
    await seen(() => expect(ended()).toBe(true));
  });

  test('is not started before its time', async () => {
    await auditOf({ index: asleep });
    expect(fs.existsSync(file())).toBe(false);
  });

  test.each([
    ['several batches', { wakeBatches: 2 }, [7, 9]],
    ['one batch, after some time', { wakeMs: 20 }, [7]],
  ])('is started again by a journal that grew by %s', async (_, timing, seqs) => {
    const gateway = await gatewayOf();
    const audit = await auditOf({ index: { ...asleep, firstMs: 1, quietMs: 200, ...timing } });
    await seen(() => expect(ended()).toBe(true));
    await commit(gateway, { requestId: 'r1' });
    expect(indexed()).toBe(0);
    for (const seq of seqs) audit.head(headAt(seq), false);
    await seen(() => expect(indexed()).toBe(1));
  });

  test('stays while rows come in', async () => {
    const gateway = await gatewayOf();
    await auditOf({ index: { ...asleep, firstMs: 1, quietMs: 1_500 } });
    let rows = 0;
    for (const until = performance.now() + 2_500; performance.now() < until; await sleep(50), rows++)
      await commit(gateway, {});
    await seen(() => expect(indexed()).toBe(rows));
  });

  test('answers queries while it ends, and there are never two', async () => {
    const gateway = await gatewayOf();
    await commit(gateway, { requestId: 'r1' });
    const audit = await auditOf({ index: { ...asleep, quietMs: 0, lookMs: 1 } });
    const threads = { now: 0, most: 0, all: 0 };
    const count = (thread: Worker): void => {
      threads.most = Math.max(threads.most, ++threads.now);
      threads.all += 1;
      thread.once('exit', () => (threads.now -= 1));
    };
    process.on('worker', count);
    open.push({ close: async () => void process.removeListener('worker', count) });
    for (let n = 0; n < 12; n++) {
      expect((await audit.query({ requestId: 'r1' })).items).toHaveLength(1);
      await sleep(n % 4);
    }
    expect(threads.all).toBeGreaterThan(1);
    expect(threads.most).toBe(1);
  });

  test('answers nothing once it is closed', async () => {
    const audit = await auditOf({ index: asleep });
    await close(audit);
    await expect(audit.query({})).rejects.toThrow('closed');
  });
});

test('rows of pruned segments leave the index, kept ones stay findable', async () => {
  const audit = await auditOf({ maxBytes: 8_000, anchorEveryMs: 20 });
  const gateway = await gatewayOf({
    segmentBytesMax: 4_000,
    durableEveryMs: 20,
    onHead: (head, clean) => audit.head(head, clean),
  });
  for (let n = 0; n < 12; n++) await commit(gateway, { requestId: `r${n}`, type: n % 10 === 0 ? 'refusal' : 'use' });
  expect((await audit.query({ requestId: 'r1' })).items).toHaveLength(1);
  for (let n = 12; n < 120; n++) await commit(gateway, { requestId: `r${n}`, type: n % 10 === 0 ? 'refusal' : 'use' });
  await vi.waitFor(() => expect(fs.existsSync(join(folder, 'gateway', segmentName(2)))).toBe(false), PATIENT_WAIT);
  expect((await audit.query({ requestId: 'r1' })).items).toEqual([]);
  for (const n of [0, 10, 20, 30, 119]) expect((await audit.query({ requestId: `r${n}` })).items).toHaveLength(1);
  expect((await audit.query({ type: 'prune' })).items.length).toBeGreaterThan(0);
  expect(await audit.verify()).toMatchObject({ ok: true, findings: [] });
});

test('refusals include those of started runs with a key, but no preflight', async () => {
  const audit = await auditOf();
  const gateway = await gatewayOf();
  await commit(gateway, { requestId: 'bare', type: 'refusal', code: 'key_missing', status: 401 });
  await commit(gateway, { requestId: 'ran', type: 'use' });
  await commit(gateway, { requestId: 'ran', type: 'outcome', code: 'scope_missing', status: 403 });
  await commit(gateway, { requestId: 'good', type: 'outcome', status: 404 });
  await commit(gateway, { requestId: 'asked', type: 'outcome', code: 'preflight', status: 204 });
  const { items } = await audit.query({ type: 'refusal' });
  expect(items.map(({ requestId, type }) => [requestId, type])).toEqual([
    ['ran', 'outcome'],
    ['bare', 'refusal'],
  ]);
});

test('export writes all rows as CSV, with formulas made harmless, and as JSON Lines', async () => {
  const audit = await auditOf();
  const gateway = await gatewayOf();
  await commit(gateway, {
    requestId: 'r1',
    path: '=HYPERLINK("x")',
    keyName: '@SUM(1)',
    detail: 'a,"b"\nc',
    status: 200,
  });
  for (let n = 0; n < 1_200; n++) gateway.append(JSON.stringify(rowOf({ requestId: `n${n}` })), () => {});
  await commit(gateway, { requestId: '-1', clientRequestId: '+1' });
  const csv = await collect(audit.export({}, 'csv'));
  expect(csv.split('\r\n')[0]).toMatch(/^time,type,requestId,/);
  expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
  expect(csv).toContain(",'@SUM(1),");
  expect(csv).toContain(",'-1,'+1,");
  expect(csv).toContain('"a,""b""\nc"');
  const lines = (await collect(audit.export({ type: 'use' }, 'jsonl'))).trimEnd().split('\n');
  expect(lines).toHaveLength(1_202);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ requestId: '-1' });
});

test('a refusal is explained from the ring, else from its row, and an unknown ID is null', async () => {
  const audit = await auditOf();
  const gateway = await gatewayOf();
  const compared = { required: 'db:write', held: 'db:read', missing: 'db:write' };
  const why = { step: 5, cause: 'scope_missing', compared };
  const call = { method: 'POST', path: '/a', ip: '10.0.0.9', project: 'p', pipeline: 'l', route: '/a', keyName: 'MES' };
  await commit(gateway, { type: 'refusal', requestId: 'row', code: 'scope_missing', status: 403, ...call, why });
  expect(await audit.refusal('row')).toMatchObject({
    ...call,
    requestId: 'row',
    step: 5,
    code: 'scope_missing',
    compared,
    status: 403,
  });
  expect((await audit.refusal('row'))?.mend).toContain('Remove db:write from the Required scopes of the route');
  const ring = new RingFile(join(folder, 'gateway', RING_FILE), realFileOps);
  ring.open();
  const row = rowOf({
    type: 'refusal',
    requestId: 'folded',
    code: 'not_found',
    status: 404,
    why: { step: 1, cause: 'slash_differs', compared: { path: '/a/' } },
  });
  ring.write([{ seq: 7, text: slotText({ seq: 7, fold: 'x', count: 3, period: 1, row }) }]);
  ring.close();
  expect(await audit.refusal('folded')).toMatchObject({
    cause: 'slash_differs',
    mend: expect.stringContaining('With or without the trailing slash'),
  });
  expect(await audit.refusal('nobody')).toBeNull();
  await commit(gateway, { type: 'outcome', requestId: 'good', status: 200 });
  expect(await audit.refusal('good')).toBeNull();
});

test('an anchors file that was changed, cut or opened with another key is refused', () => {
  const anchors = { heads: [{ chain: 'host' as const, seq: 1, hash: 'ab', time: 't' }], broken: [] };
  const sealed = sealHeads(anchorKey, anchors);
  expect(openHeads(anchorKey, sealed)).toEqual(anchors);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => openHeads(anchorKey, changed)).toThrow();
    expect(() => openHeads(anchorKey, sealed.subarray(0, at))).toThrow();
  }
  expect(() => openHeads(randomBytes(32), sealed)).toThrow();
});

test('the anchors file follows the heads, and the clean close anchors both ends', async () => {
  const audit = await auditOf({ anchorEveryMs: 20 });
  const gateway = await gatewayOf({ durableEveryMs: 20, onHead: (head, clean) => audit.head(head, clean) });
  await commit(gateway, { requestId: 'r1' });
  const anchored = () => {
    const read = readAnchors(anchorsFile, anchorKey);
    return read.kind === 'read' ? read.anchors.heads.find(({ chain }) => chain === 'gateway')?.seq : undefined;
  };
  await vi.waitFor(() => expect(anchored()).toBe(2), PATIENT_WAIT);
  await close(gateway);
  await close(audit);
  expect(anchored()).toBe(3);
  expect(await verify()).toMatchObject({ ok: true, findings: [], uncleanStops: [] });
});

/** Two chains with some batches, closed and anchored. */
async function closedJournal(batches: number): Promise<string> {
  const audit = await auditOf();
  const gateway = await gatewayOf({ onHead: (head, clean) => audit.head(head, clean) });
  for (let n = 0; n < batches; n++) await commit(gateway, { requestId: `r${n}` });
  await close(gateway);
  await close(audit);
  expect(await verify()).toMatchObject({ ok: true });
  return join(folder, 'gateway', segmentName(1));
}

function batchesOf(bytes: Buffer): { start: number; end: number }[] {
  const found = [];
  for (let batch = batchAt(bytes, 0); batch !== null; batch = batchAt(bytes, batch.end)) found.push(batch);
  return found;
}

test('verify finds an edit of any byte', { timeout: 60_000 }, async () => {
  const path = await closedJournal(3);
  const original = fs.readFileSync(path);
  for (let at = 0; at < original.length; at += 7) {
    const changed = Buffer.from(original);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    fs.writeFileSync(path, changed);
    const report = await verify();
    expect({ at, ok: report.ok }).toEqual({ at, ok: false });
    expect(report.findings[0]).toMatch(/gateway (segment|batch)/);
  }
});

test('verify finds a deleted and a swapped batch', async () => {
  const path = await closedJournal(6);
  const bytes = fs.readFileSync(path);
  const batches = batchesOf(bytes);
  const piece = (n: number) => bytes.subarray(batches[n]?.start, batches[n]?.end);
  for (let n = 0; n < batches.length - 1; n++) {
    fs.writeFileSync(path, Buffer.concat(batches.flatMap((_, m) => (m === n ? [] : [piece(m)]))));
    expect({ n, ok: (await verify()).ok }).toEqual({ n, ok: false });
    fs.writeFileSync(path, Buffer.concat(batches.map((_, m) => piece(m === n ? n + 1 : m === n + 1 ? n : m))));
    expect({ n, ok: (await verify()).ok }).toEqual({ n, ok: false });
  }
});

test('verify finds a tail that was cut at any batch, against anchors and against the vault’s heads', async () => {
  const path = await closedJournal(6);
  const bytes = fs.readFileSync(path);
  const read = readAnchors(anchorsFile, anchorKey);
  const heads = read.kind === 'read' ? read.anchors.heads : [];
  for (const { start } of batchesOf(bytes)) {
    fs.writeFileSync(path, bytes.subarray(0, start));
    const report = await verify();
    expect(report.ok).toBe(false);
    expect(report.findings.join()).toContain('the tail was cut');
  }
  fs.rmSync(anchorsFile);
  expect((await verify(heads)).findings.join()).toContain('the tail was cut');
});

test('verify finds a removed segment, a removed chain and removed or foreign anchors', async () => {
  const path = await closedJournal(2);
  const bytes = fs.readFileSync(path);
  fs.rmSync(path);
  expect((await verify()).ok).toBe(false);
  fs.writeFileSync(path, bytes);
  expect((await verify()).ok).toBe(true);
  const anchors = fs.readFileSync(anchorsFile);
  fs.rmSync(anchorsFile);
  expect((await verify()).findings).toEqual(['The anchors file is missing although there is a journal.']);
  fs.writeFileSync(anchorsFile, sealHeads(randomBytes(32), { heads: [], broken: [] }));
  expect((await verify()).ok).toBe(false);
  fs.writeFileSync(anchorsFile, anchors);
  expect((await verify()).ok).toBe(true);
});

test('a tail that was cut stays detectable when the journal continues and newer heads are anchored', async () => {
  const path = await closedJournal(6);
  const bytes = fs.readFileSync(path);
  const cut = batchesOf(bytes)[3]?.start ?? 0;
  fs.writeFileSync(path, bytes.subarray(0, cut));
  const audit = await auditOf();
  const gateway = await gatewayOf({ onHead: (head, clean) => audit.head(head, clean) });
  for (let n = 0; n < 10; n++) await commit(gateway, { requestId: `later${n}` });
  await close(gateway);
  await close(audit);
  const report = await verify();
  expect(report.ok).toBe(false);
  expect(report.findings.join()).toContain('the tail was cut');
  expect(logged.join()).toContain('tampered');
});

test('a tail that was cut while the gateway was down and the host was up is detected with the first head', async () => {
  const audit = await auditOf();
  const gateway = await gatewayOf({ onHead: (head, clean) => audit.head(head, clean) });
  for (let n = 0; n < 6; n++) await commit(gateway, { requestId: `r${n}` });
  await close(gateway);
  const path = join(folder, 'gateway', segmentName(1));
  const bytes = fs.readFileSync(path);
  fs.writeFileSync(path, bytes.subarray(0, batchesOf(bytes)[4]?.start));
  const again = await gatewayOf({ onHead: (head, clean) => audit.head(head, clean) });
  await vi.waitFor(() => expect(logged.join()).toContain('tampered'), PATIENT_WAIT);
  await close(again);
  expect((await audit.verify()).ok).toBe(false);
});

test('a tail that only an unclean stop shortened is listed with its window, and the result is good', async () => {
  const path = await closedJournal(3);
  const stopped = fs.readFileSync(path);
  const last = batchesOf(stopped).at(-1);
  const audit = await auditOf();
  const gateway = await gatewayOf();
  for (let n = 0; n < 4; n++) await commit(gateway, { requestId: `after${n}` });
  await close(audit);
  const grown = fs.readFileSync(path);
  await close(gateway);
  fs.writeFileSync(path, grown.subarray(0, grown.length - 30));
  const offline = await verify();
  expect(offline.ok).toBe(true);
  expect(offline.uncleanStops).toMatchObject([{ chain: 'gateway', bytesDropped: expect.any(Number) }]);
  const next = await gatewayOf();
  await close(next);
  const report = await verify();
  expect(report).toMatchObject({ ok: true, findings: [] });
  expect(report.uncleanStops).toHaveLength(1);
  expect(report.uncleanStops[0]?.bytesDropped).toBeGreaterThan(0);
  expect(report.uncleanStops[0]?.from).toMatch(/^20/);
  expect(last?.end).toBe(stopped.length);
});

test('actions of a kind are found in the order in which they were written', async () => {
  const audit = await auditOf();
  await audit.record({ act: 'key.revoke', target: 'k1' });
  await audit.record({ act: 'key.create', target: 'k2' });
  await audit.record({ act: 'user.deactivate', target: 'u1', detail: 'key.revoke' });
  await audit.record({ act: 'key.revoke', target: 'k0', type: 'refusal' });
  const acts = ['key.revoke', 'user.deactivate'];
  expect((await adminActs(folder, acts)).map((row) => row.target)).toEqual(['k1', 'u1']);
  expect(await adminActs(join(folder, 'nowhere'), acts)).toEqual([]);
});

test('usage reports the bytes and a rate', async () => {
  const audit = await auditOf();
  await audit.record({ act: 'x' });
  const before = new Date(Date.now() - 60_000).toISOString();
  const usage = await audit.usage();
  expect(usage.bytes).toBeGreaterThan(100);
  expect(usage.oldest).toMatch(/^\d{4}-.*Z$/);
  expect(usage.oldest?.localeCompare(before)).toBe(1);
  expect(usage.bytesPerDay).toBeGreaterThan(usage.bytes);
});

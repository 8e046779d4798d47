import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { chainRows } from '#common/node/journal/read.ts';
import { findInRing, readRing, RING_FILE, RING_SLOTS } from '#common/node/journal/ring.ts';
import { createFaults, FAULT } from '#common/node/journal/testing/faults.ts';
import { plainChain } from '#common/node/journal/testing/plain-chain.ts';
import { verifyChain } from '#common/node/journal/verify.ts';
import type { Journal } from './contract.ts';
import { openJournal } from './journal.ts';
import type { GatewayJournalOptions } from './journal.ts';
import { outcomeRow, requestFields, routeRowPrefix, useRow } from './rows.ts';

vi.setConfig({ testTimeout: 60_000 });
let folder: string;
const open: Journal[] = [];

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'sluice-journal-'));
});
afterEach(async () => {
  for (const journal of open.splice(0)) await journal.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const chain = () => join(folder, 'gateway');
const ring = () => join(chain(), RING_FILE);

async function journalOf(more: Partial<GatewayJournalOptions> = {}): Promise<Journal> {
  const journal = await openJournal({
    ...plainChain(folder, 'gateway'),
    // A busy machine must not fail tests that are not about time.
    ackMsMax: more.faults ? 800 : 20_000,
    ...more,
  });
  open.push(journal);
  if (!more.faults) await vi.waitFor(() => expect(journal.state).toBe('ok'), { timeout: 30_000 });
  return journal;
}

async function rows(): Promise<AuditRow[]> {
  const found: AuditRow[] = [];
  for await (const row of chainRows(chain(), () => true)) found.push(row);
  return found;
}

let made = 0;
function refusal(more: Partial<AuditRow> = {}): AuditRow {
  const why = { step: 5, cause: 'scope_missing', compared: { required: 'db:write', missing: 'db:write' } };
  return {
    time: new Date().toISOString(),
    type: 'refusal',
    requestId: `q${++made}`,
    ip: '10.0.0.9',
    code: 'scope_missing',
    status: 403,
    why,
    ...more,
  };
}
const refuse = (journal: Journal, row: AuditRow, fold: string) =>
  new Promise<boolean>((resolve) => journal.refuse(row, fold, resolve));
const total = (found: AuditRow[]) => found.reduce((sum, row) => sum + (row.count ?? 1), 0);

test('use and outcome rows are JSON with the fields of an audit row, whatever the texts contain', async () => {
  const journal = await journalOf();
  const prefix = routeRowPrefix({ project: 'demo', pipeline: 'orders', route: '/a/:id' });
  const key = { id: 'abcdefghijkl', name: 'Linie "7" \\ Größe\u2028' };
  const use = useRow(requestFields(prefix, key, 'r1', 'client\n"1"', 'GET', '/a/%22"', '::1'));
  const outcome = outcomeRow(requestFields(prefix, key, 'r1', '', 'GET', '/a/1', '::1'), 200, 1.25, 3, 4);
  await Promise.all([use, outcome].map((line) => new Promise((resolve) => journal.commit(line, resolve))));
  const [first, second] = await rows();
  expect(first).toMatchObject({
    type: 'use',
    requestId: 'r1',
    clientRequestId: 'client\n"1"',
    keyName: key.name,
    path: '/a/%22"',
    project: 'demo',
  });
  expect(second).toMatchObject({
    type: 'outcome',
    status: 200,
    durationMs: 1.25,
    bytesIn: 3,
    bytesOut: 4,
    route: '/a/:id',
  });
  expect(Object.keys(first ?? {}).slice(0, 2)).toEqual(['time', 'type']);
});

test('text that looks like a key is masked in rows', () => {
  const secret = `slc_abcdefghijkl_${'x'.repeat(49)}`;
  const prefix = routeRowPrefix({ project: 'p', pipeline: 'q', route: '/' });
  const line = useRow(
    requestFields(prefix, { id: 'abcdefghijkl', name: 'n' }, 'r', secret, 'GET', `/a/${secret}`, '::1'),
  );
  expect(line).not.toContain('xxxx');
});

test('the first ten refusals of a minute are single rows, the others one counted row with the exact count', async () => {
  const journal = await journalOf();
  for (let n = 0; n < 35; n++) expect(await refuse(journal, refusal(), 'a')).toBe(true);
  for (let n = 0; n < 3; n++) await refuse(journal, refusal({ code: 'key_invalid' }), 'b');
  expect(await rows()).toHaveLength(13);
  await journal.close();
  const found = await rows();
  const counted = found.filter((row) => row.count !== undefined);
  expect(counted).toMatchObject([{ count: 25, code: 'scope_missing', type: 'refusal', ip: '10.0.0.9' }]);
  expect(counted[0]).not.toHaveProperty('requestId');
  expect(total(found)).toBe(38);
});

test('the counted row is written at the end of the minute, and the next minute has ten single rows again', async () => {
  const journal = await journalOf({ foldPeriodMs: 500 });
  const atOnce = (count: number) => Promise.all(Array.from({ length: count }, () => refuse(journal, refusal(), 'a')));
  await atOnce(15);
  await vi.waitFor(async () => expect((await rows()).map((row) => row.count)).toContain(5), { timeout: 15_000 });
  await atOnce(10);
  expect((await rows()).filter((row) => row.count === undefined)).toHaveLength(20);
});

test('fold keys beyond the limit share one counted row: new keys do not give a flood more single rows', async () => {
  const journal = await journalOf();
  for (let n = 0; n < 15; n++) await refuse(journal, refusal(), 'a');
  const all: Promise<boolean>[] = [];
  for (let n = 0; n < 6_000; n++) all.push(refuse(journal, refusal(), `key ${n}`));
  all.push(...Array.from({ length: 5 }, () => refuse(journal, refusal(), 'a')));
  expect((await Promise.all(all)).every(Boolean)).toBe(true);
  await journal.close();
  const found = await rows();
  expect(total(found)).toBe(6_020);
  // Those of the first key are still in the same minute, and those beyond the table are in one row.
  expect(found.filter((row) => row.count === 10)).toHaveLength(1);
  expect(found.filter((row) => (row.count ?? 1) > 1_000)).toHaveLength(1);
});

test('preflights beyond the limit of fold keys do not hide the refusals there', async () => {
  const journal = await journalOf();
  const all = Array.from({ length: 6_000 }, (_, n) => refuse(journal, refusal(), `key ${n}`));
  all.push(refuse(journal, refusal({ type: 'outcome', code: 'preflight', status: 204 }), 'preflight'));
  expect((await Promise.all(all)).every(Boolean)).toBe(true);
  await journal.close();
  const found = await rows();
  expect(total(found.filter(({ type }) => type === 'refusal'))).toBe(6_000);
  expect(total(found.filter(({ type }) => type === 'outcome'))).toBe(1);
});

test('single rows are limited to 50 a second for all callers', async () => {
  const journal = await journalOf();
  const started = performance.now();
  await Promise.all(Array.from({ length: 3_000 }, (_, n) => refuse(journal, refusal(), `key ${n}`)));
  const seconds = Math.floor((performance.now() - started) / 1_000) + 1;
  expect((await rows()).length).toBeLessThanOrEqual(50 * seconds);
  await journal.close();
  expect(total(await rows())).toBe(3_000);
});

test('the path of a refusal is clipped in its row, and before it is compared', async () => {
  const journal = await journalOf();
  const path = `/${'x'.repeat(4_000)}`;
  await refuse(journal, refusal({ path, why: { step: 1, cause: 'no_route', compared: { path } } }), 'a');
  const [row] = await rows();
  expect(row?.path).toHaveLength(256);
  expect(JSON.stringify(row).length).toBeLessThan(1_000);
  await journal.close();
});

test(
  'the last 10,000 refusals can be explained even if they were only counted, older ones cannot',
  { timeout: 60_000 },
  async () => {
    const journal = await journalOf();
    const ids: string[] = [];
    for (let n = 0; n < 10_500; n += 100) {
      const batch = Array.from({ length: 100 }, () => refusal());
      ids.push(...batch.map((row) => row.requestId ?? ''));
      await Promise.all(batch.map((row) => refuse(journal, row, 'a')));
    }
    expect(readRing(ring()).entries).toHaveLength(RING_SLOTS);
    const last = ids.slice(-RING_SLOTS);
    for (const id of [last[0], last[4_999], last.at(-1)]) {
      expect((await findInRing(ring(), id ?? ''))?.row.why).toMatchObject({ step: 5, cause: 'scope_missing' });
    }
    expect(await findInRing(ring(), ids[0] ?? '')).toBeNull();
    await journal.close();
    expect(total(await rows())).toBe(10_500);
  },
);

test('a count is written before its last ring slot is overwritten', { timeout: 60_000 }, async () => {
  const journal = await journalOf();
  for (let n = 0; n < 15; n++) await refuse(journal, refusal(), 'quiet');
  for (let n = 0; n < 10_000; n += 100)
    await Promise.all(Array.from({ length: 100 }, () => refuse(journal, refusal(), 'loud')));
  expect((await rows()).filter((row) => row.count === 5)).toHaveLength(1);
});

test('a refusal that is too long for its ring slot is cut, not lost', async () => {
  const journal = await journalOf();
  const long = '/ä"\\'.repeat(1_000);
  const why = { step: 1, cause: 'no_route', compared: { path: long, method: long } };
  await refuse(journal, refusal({ requestId: 'long', path: long, clientRequestId: long, why }), 'a');
  expect((await findInRing(ring(), 'long'))?.row).toMatchObject({
    code: 'scope_missing',
    why: { step: 1, cause: 'no_route' },
  });
});

test('a folded preflight uses no slot of the refusals', async () => {
  const journal = await journalOf();
  await refuse(journal, refusal(), 'a');
  for (let n = 0; n < 20; n++) await refuse(journal, refusal({ type: 'outcome', code: 'preflight', status: 204 }), 'p');
  expect(readRing(ring()).entries).toHaveLength(1);
  await journal.close();
  expect(total((await rows()).filter((row) => row.type === 'outcome'))).toBe(20);
});

test('counts survive a full disk: unwritten ones are in the next counted row', async () => {
  const faults = createFaults();
  const journal = await journalOf({ faults, ackMsMax: 20_000, foldPeriodMs: 1_000 });
  for (let n = 0; n < 30; n++) expect(await refuse(journal, refusal(), 'a')).toBe(true);
  faults.set('full');
  // The minute ends while the disk is full.
  await vi.waitFor(() => expect(journal.state).toBe('unavailable'), { timeout: 15_000 });
  faults.set('none');
  await vi.waitFor(() => expect(journal.state).toBe('ok'), { timeout: 15_000 });
  for (let n = 0; n < 15; n++) expect(await refuse(journal, refusal(), 'a')).toBe(true);
  await journal.close();
  expect(total(await rows())).toBe(45);
  expect((await verifyChain({ folder: chain(), chain: 'gateway', anchored: [], live: false })).findings).toEqual([]);
});

test('a counted row that fails after written rows remains pending', async () => {
  const faults = createFaults();
  const journal = await journalOf({ faults, ackMsMax: 20_000 });
  for (let n = 0; n < 15; n++) expect(await refuse(journal, refusal(), 'a')).toBe(true);
  faults.set('lastWrite');
  // Long enough to be posted immediately and alone.
  const prefix = routeRowPrefix({ project: 'demo', pipeline: 'orders', route: '/' });
  const key = { id: 'abcdefghijkl', name: 'n' };
  const use = new Promise<boolean>((resolve) => {
    journal.commit(useRow(requestFields(prefix, key, 'r1', '', 'GET', `/${'x'.repeat(1_100_000)}`, '::1')), resolve);
  });
  Atomics.wait(new Int32Array(faults.shared), 0, FAULT.lastWrite);
  // So many that the ring would lose the last slot of a count: all outstanding counts must be written.
  const refused = Array.from({ length: RING_SLOTS }, () => refuse(journal, refusal(), 'b'));
  expect(await use).toBe(true);
  expect((await Promise.all(refused)).some(Boolean)).toBe(false);
  faults.set('none');
  await vi.waitFor(() => expect(journal.state).toBe('ok'), { timeout: 15_000 });
  await journal.close();
  expect((await rows()).filter((row) => row.count === 5)).toHaveLength(1);
});

test('a disk that hangs during a counted row does not block the close, and the count is in the ring', async () => {
  const faults = createFaults();
  const journal = await journalOf({ faults });
  for (let n = 0; n < 15; n++) expect(await refuse(journal, refusal(), 'a')).toBe(true);
  faults.set('hang');
  const started = performance.now();
  await journal.close();
  expect(performance.now() - started).toBeLessThan(9_000);
  // If the thread of the first journal still runs, it writes no more rows.
  faults.set('error');
  await (await journalOf()).close();
  expect(total(await rows())).toBe(15);
});

test('a thread that ends during a counted row does not block the close', async () => {
  const faults = createFaults();
  const module = new URL('../../common/node/journal/testing/crash.ts', import.meta.url).href;
  const journal = await journalOf({ faults: { ...faults, module } });
  for (let n = 0; n < 15; n++) expect(await refuse(journal, refusal(), 'a')).toBe(true);
  faults.set('error');
  const started = performance.now();
  await journal.close();
  expect(performance.now() - started).toBeLessThan(9_000);
  await (await journalOf()).close();
  expect(total(await rows())).toBe(15);
});

test('preflights whose counted row a lost thread did not write are counted by the next thread', async () => {
  const faults = createFaults();
  const module = new URL('../../common/node/journal/testing/crash.ts', import.meta.url).href;
  const journal = await journalOf({ faults: { ...faults, module }, ackMsMax: 20_000, foldPeriodMs: 1_000 });
  // A count of refusals that was written: its mark is in the ring.
  for (let n = 0; n < 15; n++) expect(await refuse(journal, refusal(), 'a')).toBe(true);
  await vi.waitFor(async () => expect(total(await rows())).toBe(15), { timeout: 15_000 });
  const preflight = () => refuse(journal, refusal({ type: 'outcome', code: 'preflight', status: 204 }), 'p');
  for (let n = 0; n < 10; n++) expect(await preflight()).toBe(true);
  faults.set('error');
  for (let n = 0; n < 20; n++) await preflight();
  await vi.waitFor(() => expect(journal.state).toBe('unavailable'), { timeout: 15_000 });
  faults.set('none');
  await vi.waitFor(() => expect(journal.state).toBe('ok'), { timeout: 15_000 });
  await journal.close();
  expect(total((await rows()).filter(({ code }) => code === 'preflight'))).toBe(30);
});

test('a use that was written late is followed by an outcome with the response that its caller got', async () => {
  const faults = createFaults();
  const journal = await journalOf({ faults });
  const prefix = routeRowPrefix({ project: 'demo', pipeline: 'orders', route: '/' });
  faults.set('hang');
  const line = useRow(requestFields(prefix, { id: 'abcdefghijkl', name: 'n' }, 'late', '', 'GET', '/', '::1'));
  expect(await new Promise((resolve) => journal.commit(line, resolve))).toBe(false);
  faults.set('none');
  await vi.waitFor(async () => expect((await rows()).map((row) => row.type)).toEqual(['use', 'outcome']), {
    timeout: 15_000,
  });
  expect((await rows())[1]).toMatchObject({
    requestId: 'late',
    code: 'audit_unavailable',
    status: 503,
    keyId: 'abcdefghijkl',
  });
});

test(
  'after kill -9, twenty times: every acknowledged row is there, no count is lost, the chain is valid',
  { timeout: 180_000 },
  async () => {
    const script = fileURLToPath(new URL('./testing/committer.ts', import.meta.url));
    const acknowledged = { rows: new Set<string>(), refused: new Map<string, number>() };
    for (let run = 0; run < 20; run++) {
      const child = spawn(process.execPath, [script, folder, String(run)], { stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      let wanted = 200 + run * 60;
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        wanted -= chunk.length / 10;
        if (wanted < 0) child.kill('SIGKILL');
      });
      await once(child, 'close');
      for (const line of text.split('\n').slice(0, -1)) {
        const [what = '', id = ''] = line.split(' ');
        if (what === 'refused') acknowledged.refused.set(id, (acknowledged.refused.get(id) ?? 0) + 1);
        else acknowledged.rows.add(line);
      }
      const { findings } = await verifyChain({ folder: chain(), chain: 'gateway', anchored: [], live: true });
      expect(findings).toEqual([]);
    }
    await (await journalOf()).close();
    const found = await rows();
    const written = new Set(found.map((row) => `${row.type} ${row.requestId}`));
    expect([...acknowledged.rows].filter((line) => !written.has(line))).toEqual([]);
    for (const [fold, count] of acknowledged.refused) {
      const counted = total(found.filter((row) => row.type === 'refusal' && row.route === fold));
      // One refusal per run may have been written and not yet acknowledged when the process was killed.
      expect(counted).toBeGreaterThanOrEqual(count);
      expect(counted).toBeLessThanOrEqual(count + 20);
      expect(count).toBeGreaterThan(100);
    }
    const report = await verifyChain({ folder: chain(), chain: 'gateway', anchored: [], live: false });
    expect(report).toMatchObject({ findings: [] });
    expect(report.uncleanStops).toHaveLength(20);
  },
);

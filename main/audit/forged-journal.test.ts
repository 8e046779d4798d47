import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { openWriter, type ChainWriter } from '#common/node/journal/writer.ts';
import { createLogger } from '#common/node/log.ts';
import { memoryDir } from '#test/temp-dir.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { PATIENT_WAIT } from '#test/until.ts';
import { appendBatch, forgedPruning } from './testing/forge-acts.ts';
import { readFiles, writeFiles } from './testing/forge-world.ts';
import { anchorFaults } from './anchor-faults.ts';
import { ANCHORS_LOG, AnchorsLog, logKey, readLog } from './anchors-log.ts';
import { openAudit, type AuditOptions, type AuditStore } from './audit.ts';
import { verifyJournal } from './verify-journal.ts';

vi.setConfig({ testTimeout: 60_000 });
const anchorKey = randomBytes(32);
const temp = dirPerTest(memoryDir);
let folder: string;

beforeEach(() => {
  folder = join(temp.path, 'journal');
});

const paths = () => ({ folder, anchorsFile: join(temp.path, 'anchors'), anchorKey });
const auditOf = (more: Partial<AuditOptions> = {}): Promise<AuditStore> =>
  openAudit({
    ...paths(),
    days: 90,
    maxBytes: 2 ** 31,
    log: createLogger('audit', () => {}),
    anchorEveryMs: 20,
    writer: { ackMsMax: 20_000, durableEveryMs: 20 },
    ...more,
  });
const gatewayOf = (audit: AuditStore | null, segmentBytesMax = 2_000): Promise<ChainWriter> =>
  openWriter({
    folder,
    chain: 'gateway',
    durability: 'process',
    segmentBytesMax,
    durableEveryMs: 20,
    ackMsMax: 20_000,
    onHead: (head, clean) => audit?.head(head, clean),
    onOpened: (_, found) => audit?.opened(found),
    onState: () => {},
  });

async function uses(writer: ChainWriter, ids: readonly string[]): Promise<void> {
  for (const requestId of ids) {
    const row = JSON.stringify({ time: new Date().toISOString(), type: 'use', requestId });
    expect(await new Promise((resolve) => writer.append(row, resolve))).toBe(true);
  }
}

const many = Array.from({ length: 40 }, (_, n) => `r${n}`);
const verify = (logExpected = false) => verifyJournal({ ...paths(), logExpected });

/** A journal that was stopped cleanly. */
async function stopped(): Promise<void> {
  const audit = await auditOf();
  const gateway = await gatewayOf(audit);
  await uses(gateway, many);
  await audit.record({ act: 'key.create', target: 'k1' });
  await gateway.close();
  await audit.close();
  expect(await verify()).toMatchObject({ ok: true, findings: [], unproven: [] });
}

function change(how: (files: ReturnType<typeof readFiles>) => void): void {
  const files = readFiles(temp.path);
  how(files);
  writeFiles(temp.path, files);
}

const row = (requestId: string) => `${JSON.stringify({ time: new Date().toISOString(), type: 'use', requestId })}\n`;

test('a batch with a valid hash after a clean stop is a forgery: its rows are listed and an alarm is raised', async () => {
  await stopped();
  change((files) => appendBatch(files, 'gateway', row('forged')));
  const report = await verify();
  expect(report.ok).toBe(false);
  expect(report.findings.join()).toContain('were appended after a clean stop');
  expect(report.unproven).toMatchObject([
    { chain: 'gateway', sealed: true, rows: 1, listed: [{ requestId: 'forged' }] },
  ]);
  const audit = await auditOf();
  expect(audit.troubles().tampered.join()).toMatch(
    /gateway batches \d+ to \d+ \(1 rows\) were appended after a clean stop/,
  );
  expect((await audit.query({ type: 'admin' })).items[0]).toMatchObject({ act: 'journal.tampered' });
  await audit.close();
  expect((await verify()).findings.length).toBeGreaterThan(1);
});

test.each(['gateway', 'host'] as const)('a forged prune row in the %s chain proves nothing', async (chain) => {
  await stopped();
  change((files) => {
    forgedPruning(files, { of: 2, chain, part: null });
  });
  const findings = (await verify()).findings.join(' ');
  expect(findings).toContain('segment 2: the segment is missing and no pruning accounts for it');
  expect(findings).toContain('a forged prune row: Sluice did not prune segment 2 with it');
});

test('a partial file that only a forged prune row covers is a forgery', async () => {
  await stopped();
  change((files) => forgedPruning(files, { of: 2, chain: 'gateway', part: Buffer.from('{"part":2,"rows":"kept"}\n') }));
  expect((await verify()).findings.join(' ')).toContain('the part file was made by somebody else');
});

test('text after the last seal and a foreign segment are reported after a clean stop', async () => {
  await stopped();
  const newest =
    [...readFiles(temp.path).keys()]
      .filter((name) => name.includes('gateway/'))
      .toSorted()
      .at(-1) ?? '';
  change((files) => files.set(newest, Buffer.concat([files.get(newest) ?? Buffer.alloc(0), Buffer.from('more')])));
  expect((await verify()).findings.join(' ')).toContain('4 bytes behind the last seal were added after a clean stop');
  const audit = await auditOf();
  expect(audit.troubles().tampered.join()).toContain('4 bytes were added behind the last seal');
  await audit.close();
});

test('after a kill, rows that no anchor covers are listed one by one, at that start and at every later one', async () => {
  const audit = await auditOf();
  // Nobody anchors the rows of this gateway, as if the machine had crashed before.
  const gateway = await gatewayOf(null);
  await uses(gateway, ['a', 'b']);
  const files = readFiles(temp.path);
  await gateway.close();
  await audit.close();
  writeFiles(temp.path, files);
  const report = await verify();
  expect(report).toMatchObject({ ok: true, unproven: [{ chain: 'gateway', sealed: false, rows: 2 }] });
  expect(report.unproven[0]?.listed.map(({ requestId }) => requestId)).toEqual(['a', 'b']);
  const again = await auditOf();
  expect(again.troubles()).toMatchObject({ tampered: [], unproven: [{ chain: 'gateway', rows: 2 }] });
  expect((await again.query({ type: 'admin' })).items.map(({ act }) => act)).toEqual(['journal.unproven']);
  await again.close();
  expect((await verify()).unproven).toMatchObject([{ chain: 'gateway', rows: 2 }]);
});

test('the rows of a killed gateway are anchored by the host that saw it end, and later additions are reported', async () => {
  const audit = await auditOf();
  const gateway = await gatewayOf(null);
  await uses(gateway, ['a', 'b']);
  audit.ended();
  await vi.waitFor(() => expect(audit.heads().find(({ chain }) => chain === 'gateway')?.seq).toBe(3), PATIENT_WAIT);
  const second = await gatewayOf(audit);
  await second.close();
  expect(audit.troubles().unproven).toEqual([]);
  // A forger between two gateways, whose batch has a correct hash.
  const forger = await gatewayOf(null);
  await uses(forger, ['forged']);
  await forger.close();
  const third = await gatewayOf(audit);
  await vi.waitFor(() => expect(audit.troubles().unproven).toMatchObject([{ chain: 'gateway' }]), PATIENT_WAIT);
  await third.close();
  await gateway.close();
  await audit.close();
});

test('a removed segment is reported, and those after it are still anchored', async () => {
  const audit = await auditOf();
  const gateway = await gatewayOf(null);
  await uses(gateway, many);
  const [, second = ''] = fs.readdirSync(join(folder, 'gateway')).toSorted();
  fs.rmSync(join(folder, 'gateway', second));
  audit.ended();
  await vi.waitFor(
    () => expect(audit.troubles().tampered.join()).toContain('gateway segment 2 was removed'),
    PATIENT_WAIT,
  );
  await gateway.close();
  await audit.close();
  expect(fs.readFileSync(join(folder, ANCHORS_LOG), 'utf8')).toMatch(/"kind":"segment","chain":"gateway","segment":4,/);
});

test('anchors that cannot be written at a stop do not make it look like tampering', async () => {
  const audit = await auditOf({ anchorEveryMs: 600_000 });
  await audit.record({ act: 'key.create', target: 'k1' });
  await vi.waitFor(() => expect(audit.heads()).toMatchObject([{ chain: 'host' }]), PATIENT_WAIT);
  // A disk that accepts a line of a log but no new file.
  fs.mkdirSync(join(temp.path, 'anchors.new'));
  await audit.close();
  fs.rmdirSync(join(temp.path, 'anchors.new'));
  expect((await verify()).findings).toEqual([]);
});

test('a rewritten anchors log fits the anchors file that was written before it', async () => {
  const [file, key] = [join(folder, ANCHORS_LOG), logKey(anchorKey)];
  const log = new AnchorsLog(file, key, null);
  const start = { time: new Date().toISOString(), kind: 'start' } as const;
  await log.append([start]);
  const before = log.position ?? { n: 0, mac: '' };
  const next = log.afterRewrite([start, start], before.n);
  await log.rewrite([start, start], before.n);
  const faults = (more: object) => {
    const read = { kind: 'read' as const, anchors: { heads: [], broken: [], log: before, ...more } };
    return anchorFaults({ read, content: readLog(file, key), hasJournal: true, isNew: false });
  };
  expect(faults({ next })).toEqual([]);
  expect(faults({}).join()).toContain('it was replaced by an earlier one');
});

test('the journal of a release without an anchors log is migrated once, and the journal records that', async () => {
  await stopped();
  fs.rmSync(join(folder, ANCHORS_LOG));
  fs.rmSync(join(temp.path, 'anchors'));
  const audit = await auditOf();
  expect((await audit.query({ type: 'admin' })).items.map(({ act }) => act)).toContain('journal.takeover');
  await audit.close();
  fs.rmSync(join(folder, ANCHORS_LOG));
  expect((await verify()).findings).toContain('The anchors log is missing although there is a journal.');
  fs.rmSync(join(temp.path, 'anchors'));
  expect((await verify(true)).findings).toContain('The anchors log is missing although there is a journal.');
});

test('a huge anchors log of another installation is read only up to its first line, and little of it is kept', async () => {
  await stopped();
  const file = join(folder, ANCHORS_LOG);
  const good = fs.statSync(file).size;
  fs.appendFileSync(file, 'x\n');
  // Sparse: 8 GiB, too large for a string.
  fs.truncateSync(file, 8 * 1024 ** 3);
  expect(readLog(file, logKey(anchorKey))?.fault).toContain('was changed, removed or added');
  expect((await verify()).findings.join()).toContain('of the anchors log was changed, removed or added');
  const audit = await auditOf();
  expect(audit.troubles().tampered.join()).toContain('of the anchors log was changed, removed or added');
  await audit.close();
  expect(fs.statSync(`${file}.damaged`).size).toBe(16 * 1024 ** 2);
  expect(fs.statSync(file).size).toBeLessThan(good + 10_000);
});

test('an unterminated line of the anchors log is not a record', async () => {
  await stopped();
  fs.appendFileSync(join(folder, ANCHORS_LOG), '{"n":'.padEnd(100_000, '9'));
  expect((await verify()).findings.join()).toContain('of the anchors log was changed, removed or added');
});

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { segmentName } from '#common/node/journal/format.ts';
import { createLogger } from '#common/node/log.ts';
import { type AuditStore, openAudit } from './audit.ts';
import { PROOF_FILE } from './verifications.ts';

/** A verification leaves a row and a proof (docs/spec/journal.md#proof). */
vi.setConfig({ testTimeout: 60_000 });
const anchorKey = randomBytes(32);
let data: string;
let folder: string;
let audit: AuditStore;
let inVault: string | null;

const open = (key = anchorKey): Promise<AuditStore> =>
  openAudit({
    folder,
    anchorsFile: join(data, 'anchors'),
    anchorKey: key,
    days: 90,
    maxBytes: 2 ** 31,
    keptProof: {
      known: () => inVault,
      remember: async (line) => {
        inVault = line;
      },
    },
    log: createLogger('audit', () => {}),
    writer: { ackMsMax: 20_000 },
  });

beforeEach(async () => {
  data = fs.mkdtempSync(join(tmpdir(), 'sluice-proof-'));
  folder = join(data, 'journal');
  inVault = null;
  audit = await open();
  await audit.record({ act: 'key.create', target: 'MES', user: 'Ada' });
});
afterEach(async () => {
  await audit.close();
  fs.rmSync(data, { recursive: true, force: true });
});

test('a verification leaves a row with its user and result, and a proof that is accepted', async () => {
  expect(audit.proof()).toBeNull();
  expect(await audit.verifyAndRecord({ user: 'Ada', requestId: 'r1' })).toMatchObject({ ok: true });
  const { items } = await audit.query({ requestId: 'r1' });
  expect(items).toMatchObject([{ type: 'admin', act: 'journal.verify', user: 'Ada', status: 200 }]);
  expect(items[0]?.detail).toMatch(/^1 rows, 0 findings, host up to batch \d+$/);
  const proof = audit.proof() ?? '';
  expect(JSON.parse(proof)).toMatchObject({ sluiceJournalProof: 1, by: 'Ada', ok: true, rows: 1, findingCount: 0 });
  expect(await audit.verify({ proof })).toMatchObject({ ok: true, proof: { by: 'Ada', rows: 1 } });
});

test('the last verification is known after a restart', async () => {
  await audit.verifyAndRecord({ user: 'Ada' });
  const before = audit.lastVerification();
  await audit.close();
  audit = await open();
  expect(audit.lastVerification()).toEqual(before);
});

test.each([
  ['the user', (text: string) => text.replace('"by":"Ada"', '"by":"Eve"')],
  ['the result', (text: string) => text.replace('"findingCount":0', '"findingCount":1')],
  ['the MAC', (text: string) => text.replace(/"mac":"./, (start) => (start.endsWith('0') ? '"mac":"1' : '"mac":"0'))],
])('a proof in which %s was changed is rejected', async (_, change) => {
  await audit.verifyAndRecord({ user: 'Ada' });
  const changed = change(audit.proof() ?? '');
  expect(changed).not.toBe(audit.proof());
  expect(await audit.verify({ proof: changed })).toMatchObject({
    ok: false,
    findings: ['The proof was changed, or written with the secret of another vault.'],
  });
});

test('an invalid proof is an error, not a finding', async () => {
  await expect(audit.verify({ proof: '{"by":"Ada"}' })).rejects.toMatchObject({ code: 'invalid' });
});

test('a proof of rows that the journal does not contain any more is rejected', async () => {
  await audit.record({ act: 'key.create', target: 'PLC', user: 'Ada' });
  await audit.verifyAndRecord({ user: 'Ada' });
  const proof = audit.proof() ?? '';
  await audit.close();
  fs.rmSync(data, { recursive: true });
  audit = await open();
  const report = await audit.verify({ proof });
  expect(report.ok).toBe(false);
  expect(report.findings.join(' ')).toMatch(/^host (batch \d+ is|batches \d+ to \d+ are) missing/);
});

test('a forged proof file is ignored', async () => {
  await audit.verifyAndRecord({ user: 'Ada' });
  await audit.close();
  const file = join(folder, PROOF_FILE);
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"by":"Ada"', '"by":"Eve"'));
  inVault = null;
  audit = await open();
  expect(audit.lastVerification()).toBeNull();
});

test('two who ask at once get one verification', async () => {
  const [first, second] = await Promise.all([
    audit.verifyAndRecord({ user: 'Ada' }),
    audit.verifyAndRecord({ user: 'Bob' }),
  ]);
  expect(second).toBe(first);
  const { items } = await audit.query({ find: 'journal.verify' });
  expect(items.map(({ user }) => user)).toEqual(['Ada']);
});

test.each([
  ['was removed', (file: string) => fs.rmSync(file)],
  ['was replaced by an earlier one', (file: string, earlier: string) => fs.writeFileSync(file, earlier)],
])('a proof file that %s is written again and reported until the next verification', async (_, change) => {
  const file = join(folder, PROOF_FILE);
  await audit.verifyAndRecord({ user: 'Ada' });
  const earlier = fs.readFileSync(file, 'utf8');
  const segment = join(folder, 'host', segmentName(1));
  fs.writeFileSync(segment, fs.readFileSync(segment, 'utf8').replace('MES', 'MEX'));
  expect(await audit.verifyAndRecord({ user: 'Ada' })).toMatchObject({ ok: false });
  const last = audit.lastVerification();
  await audit.close();
  const proof = fs.readFileSync(file, 'utf8');
  change(file, earlier);
  audit = await open();
  expect(audit.lastVerification()).toEqual(last);
  expect(audit.troubles().tampered).toEqual(
    expect.arrayContaining([
      expect.stringContaining('the content does not match the seal'),
      expect.stringContaining('proof.json of the verification of'),
    ]),
  );
  expect(fs.readFileSync(file, 'utf8')).toBe(proof);
  const { items } = await audit.query({ type: 'admin' });
  expect(items.filter(({ detail }) => detail?.includes('proof.json'))).toMatchObject([{ act: 'journal.tampered' }]);
  await audit.verifyAndRecord({ user: 'Ada' });
  expect(audit.troubles().tampered.join(' ')).not.toContain('proof.json');
});

test('a proof file that is newer than the vault counts', async () => {
  await audit.verifyAndRecord({ user: 'Ada' });
  const before = inVault;
  await audit.verifyAndRecord({ user: 'Bob' });
  inVault = before;
  await audit.close();
  audit = await open();
  expect(audit.lastVerification()).toMatchObject({ by: 'Bob' });
  expect(audit.troubles().tampered).toEqual([]);
});

test('a proof whose file cannot be written is kept in the vault', async () => {
  fs.mkdirSync(join(folder, PROOF_FILE));
  fs.writeFileSync(join(folder, PROOF_FILE, 'in-the-way'), '');
  await audit.verifyAndRecord({ user: 'Ada' });
  expect(inVault).toBe(audit.proof());
  expect(inVault).not.toBeNull();
});

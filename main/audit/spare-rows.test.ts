import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFaults } from '#common/node/journal/testing/faults.ts';
import { createLogger, type Logger } from '#common/node/log.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { type HeldFile, openHeldFile } from '../host/held-file.ts';
import { openAudit } from './audit.ts';
import type { AuditStore } from './audit.ts';
import { SPARE_ROWS_BYTES_MAX, SPARE_ROWS_FILE, SpareRows } from './spare-rows.ts';

const KEY = Buffer.alloc(32, 7);
const SPARE = { mayUseSpare: true };
const log = createLogger('test', () => {});
const faults = createFaults();
const dir = dirPerTest();
let audit: AuditStore;

const openSpare = () => openHeldFile(dir.path, KEY, log, SPARE_ROWS_FILE);
const open = (more: { log?: Logger; ackMsMax?: number } = {}) =>
  openAudit({
    folder: join(dir.path, 'journal'),
    anchorsFile: join(dir.path, 'anchors'),
    anchorKey: KEY,
    days: 30,
    maxBytes: 10 ** 9,
    log: more.log ?? log,
    spare: openSpare(),
    writer: { faults, ackMsMax: more.ackMsMax ?? 20_000 },
  });

beforeEach(async () => {
  faults.set('none');
  audit = await open();
});
afterEach(async () => {
  faults.set('none');
  await audit.close();
});

const actsIn = async () => (await audit.query({ limit: 100 })).items.map(({ act }) => act).toReversed();

test('on a full disk rows of users are kept, and are in the journal before any others once there is room', async () => {
  await audit.record({ act: 'a' });
  faults.set('full');
  await audit.record({ act: 'session.login', user: 'Ada' }, SPARE);
  await expect(audit.record({ act: 'session.login-failed' })).rejects.toMatchObject({ code: 'audit_unavailable' });
  await audit.record({ act: 'file.delete', user: 'Ada' }, SPARE);
  expect(audit.troubles().spareRows).toBe(2);
  faults.set('none');
  await until('the journal can be written', () =>
    audit.record({ act: 'b' }).then(
      () => true,
      () => false,
    ),
  );
  await until('the rows are in the journal', () => audit.troubles().spareRows === 0);
  expect(await actsIn()).toEqual(['a', 'session.login', 'file.delete', 'b']);
  expect((await audit.verify()).ok).toBe(true);
});

test('rows that were kept when the host ended are in the journal after the next start, once', async () => {
  faults.set('full');
  await audit.record({ act: 'file.delete', user: 'Ada' }, SPARE);
  await audit.close();
  for (let start = 0; start < 2; start++) {
    faults.set('none');
    audit = await open();
    await until('the rows are in the journal', () => audit.troubles().spareRows === 0);
    expect(await actsIn()).toEqual(['file.delete']);
    if (start === 0) await audit.close();
  }
});

test('rows that the disk accepts late are in the journal once', async () => {
  await audit.close();
  let hangs = false;
  const hang = createLogger('test', (text) => {
    // Logged just before the rows are appended.
    if (hangs && text.includes('ok')) faults.set('hang');
  });
  audit = await open({ log: hang, ackMsMax: 300 });
  faults.set('full');
  await audit.record({ act: 'file.delete', user: 'Ada' }, SPARE);
  const held = faults.heldUp;
  hangs = true;
  faults.set('none');
  await until('the write hangs', () => faults.heldUp > held);
  const isRecorded = () =>
    audit.record({ act: 'b' }).then(
      () => true,
      () => false,
    );
  expect(await isRecorded()).toBe(false);
  hangs = false;
  faults.set('none');
  await until('the journal can be written', isRecorded);
  await until('no row is held', () => audit.troubles().spareRows === 0);
  expect((await actsIn()).filter((act) => act === 'file.delete')).toEqual(['file.delete']);
});

test('rows that were not written are appended again when there is room in the meantime', async () => {
  const spare = new SpareRows(fileInMemory().file);
  spare.add(line({ act: 'a' }));
  const answers: ((ok: boolean) => void)[] = [];
  const append = () => new Promise<boolean>((resolve) => void answers.push(resolve));
  const flushed = spare.flush(append);
  await spare.flush(append);
  answers[0]?.(false);
  await until('the row is appended again', () => answers.length === 2);
  answers[1]?.(true);
  await flushed;
  expect([answers.length, spare.count]).toEqual([2, 0]);
});

test('a disk that hangs is not a full one: nothing is kept', async () => {
  faults.set('error');
  await expect(audit.record({ act: 'file.delete', user: 'Ada' }, SPARE)).rejects.toMatchObject({
    code: 'audit_unavailable',
  });
  expect(audit.troubles().spareRows).toBe(0);
});

const line = (fields: object) => JSON.stringify({ time: '2026-03-01T06:00:00.000Z', type: 'admin', ...fields });
const logIn = (user: string, ip: string) => line({ act: 'session.login', user, ip });

/** The file without the disk: hundreds of writes. */
function fileInMemory(): { file: HeldFile; readonly records: readonly unknown[] } {
  let records: readonly unknown[] = [];
  const write = (given: readonly unknown[]) => {
    records = given;
    return true;
  };
  return {
    file: { records, write },
    get records() {
      return records;
    },
  };
}

test('log-ins of one user from one address become one row', () => {
  const memory = fileInMemory();
  const spare = new SpareRows(memory.file);
  for (let n = 0; n < 20; n++) expect(spare.add(logIn('Ada', '127.0.0.1'))).toBe(true);
  expect([spare.count, memory.records]).toEqual([
    1,
    [expect.stringContaining('"detail":"last at 2026-03-01T06:00:00.000Z","count":20')],
  ]);
});

const fillWithLogIns = (spare: SpareRows) => {
  let users = 0;
  while (spare.add(logIn(`user ${users}`, '10.0.0.1'))) users++;
  return users;
};
const fillWithActs = (spare: SpareRows) => {
  let acts = 0;
  while (spare.add(line({ act: 'file.delete', target: 'x'.repeat(200) }))) acts++;
  return acts;
};

test.each([
  ['log-ins first', [fillWithLogIns, fillWithActs]],
  ['acts first', [fillWithActs, fillWithLogIns]],
])('log-ins and actions leave each other half of the room: %s', (_, fills) => {
  const memory = fileInMemory();
  const spare = new SpareRows(memory.file);
  for (const fill of fills) expect(fill(spare)).toBeGreaterThan(80);
  const bytes = JSON.stringify(memory.records).length;
  expect(bytes).toBeGreaterThan(SPARE_ROWS_BYTES_MAX - 1_000);
  expect(bytes).toBeLessThanOrEqual(SPARE_ROWS_BYTES_MAX);
});

test('rows that were appended are not appended again when the file cannot be cleared', async () => {
  let writable = true;
  const spare = new SpareRows({ records: [], write: () => writable });
  spare.add(line({ act: 'a' }));
  writable = false;
  const appended: string[] = [];
  const append = (row: string) => Promise.resolve(appended.push(row) > 0);
  for (let round = 0; round < 2; round++) await spare.flush(append);
  expect([appended.length, spare.count]).toEqual([1, 0]);
});

test('rows that cannot be appended stay', async () => {
  const spare = new SpareRows(openSpare());
  for (const act of ['a', 'b', 'c']) spare.add(line({ act }));
  await spare.flush(async (row) => !row.includes('"b"'));
  expect(openSpare().records).toEqual([line({ act: 'b' })]);
});

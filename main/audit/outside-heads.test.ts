import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { memoryDir } from '#test/temp-dir.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { openAudit, type AuditStore } from './audit.ts';
import { HEAD_FILE_BYTES_MAX, HEAD_READ_BYTES } from './head-file.ts';
import { headKey, headLine, readHeads } from './head-record.ts';
import { OutsideHeads, UNUSABLE_MS_MAX } from './outside-heads.ts';
import { verifyJournal } from './verify-journal.ts';

vi.setConfig({ testTimeout: 60_000 });
const anchorKey = randomBytes(32);
const temp = dirPerTest(memoryDir);
let data: string;
let share: string;
let file: string;
let known: string | null;

beforeEach(() => {
  [data, share] = [join(temp.path, 'data'), join(temp.path, 'share')];
  for (const folder of [data, share]) fs.mkdirSync(folder);
  file = join(share, 'line-7.heads');
  known = null;
});

const choice = () => ({
  path: () => file,
  known: () => known,
  remember: async (path: string) => void (known = path),
  generation: () => 7,
});

/** Opens the journal as the host does, and adds `acts` rows. */
async function run(acts: number, key = anchorKey): Promise<AuditStore> {
  const audit = await openAudit({
    folder: join(data, 'journal'),
    anchorsFile: join(data, 'anchors'),
    anchorKey: key,
    days: 90,
    maxBytes: 2 ** 31,
    headFile: choice(),
    log: createLogger('audit', () => {}),
    anchorEveryMs: 20,
    writer: { ackMsMax: 20_000, durableEveryMs: 20 },
  });
  await audit.lookOutside();
  for (let n = 0; n < acts; n++) await audit.record({ act: 'key.revoke', target: `k${n}` });
  return audit;
}

const verify = (keptHeads?: string) =>
  verifyJournal({
    folder: join(data, 'journal'),
    anchorsFile: join(data, 'anchors'),
    anchorKey,
    logExpected: true,
    keptHeads,
  });

const copyOf = (name: string): void => fs.cpSync(data, join(temp.path, name), { recursive: true });
function putBack(name: string): void {
  fs.rmSync(data, { recursive: true });
  fs.cpSync(join(temp.path, name), data, { recursive: true });
}

test('a restored older data folder is detected by the head in the file, and the file is not changed', async () => {
  await (await run(2)).close();
  copyOf('older');
  await (await run(3)).close();
  const kept = fs.readFileSync(file, 'utf8');
  expect(await verify(kept)).toMatchObject({ ok: true, findings: [] });

  putBack('older');
  expect(await verify()).toMatchObject({ ok: true, findings: [] });
  expect((await verify(kept)).findings).toEqual([
    expect.stringMatching(/^host batches \d+ to \d+ are missing: the rows between \d{4}-.+Z and \d{4}-.+Z, of which/),
  ]);

  const audit = await run(5);
  expect(audit.troubles().outside?.findings.join()).toMatch(/^host batches \d+ to \d+ are missing/);
  expect((await audit.query({ type: 'admin' })).items.map(({ act }) => act)).toContain('journal.rolled_back');
  expect(await audit.verify()).toMatchObject({ ok: false });
  await audit.close();
  expect(fs.readFileSync(file, 'utf8')).toBe(kept);

  // The journal has grown past the head meanwhile: other rows are at its position.
  const later = await run(1);
  expect(later.troubles().outside?.findings.join()).toContain('differs from the head that was kept outside');
  await later.close();
});

test('a head from before the last row has no span that ends before it begins', async () => {
  const audit = await run(1);
  await audit.close();
  const head = { chain: 'host', seq: 999, hash: 'f'.repeat(64), time: '2020-01-01T00:00:00.000Z' } as const;
  const kept = headLine(headKey(anchorKey), { time: head.time, generation: 1, heads: [head] });
  expect((await verify(kept)).findings).toEqual([
    expect.stringMatching(
      /^host batches \d+ to 999 are missing: the rows up to 2020-01-01T00:00:00.000Z \(the row before them is of 20[^1]\d-/,
    ),
  ]);
});

test('a new data folder in place of the old one is detected by its different key', async () => {
  await (await run(2)).close();
  fs.rmSync(data, { recursive: true });
  fs.mkdirSync(data);
  known = null;
  const audit = await run(1, randomBytes(32));
  expect(audit.troubles().outside?.findings.join()).toContain('written with the secret of another vault');
  await audit.close();
});

test('a kill loses no saved head: nothing is reported', async () => {
  const audit = await run(3);
  await until('the head is anchored', () => audit.heads().some(({ chain, seq }) => chain === 'host' && seq >= 3));
  fs.appendFileSync(
    file,
    headLine(headKey(anchorKey), { time: new Date().toISOString(), generation: 1, heads: audit.heads() }),
  );
  copyOf('killed');
  await audit.record({ act: 'key.revoke', target: 'later' });
  await audit.close();
  const kept = fs.readFileSync(join(share, 'line-7.heads'), 'utf8').split('\n').slice(0, 2).join('\n');
  putBack('killed');
  fs.writeFileSync(file, `${kept}\n`);
  const next = await run(0);
  expect(next.troubles().outside).toMatchObject({ findings: [], unusable: null });
  await next.close();
});

test('a file that existed before is not created again: a share that is not mounted is reported at once', async () => {
  await (await run(1)).close();
  fs.rmSync(file);
  const audit = await run(1);
  expect(audit.troubles().outside).toMatchObject({ findings: [], unusable: expect.stringContaining('is missing') });
  await audit.close();
  expect(fs.existsSync(file)).toBe(false);
});

test.each([
  ['in the data folder', () => (file = join(data, 'vault.db')), 'in the data folder'],
  ['a folder', () => fs.mkdirSync(file), ''],
  ['a file of something else', () => fs.writeFileSync(file, 'precious\n'), 'contains none'],
  ['a link', () => fs.symlinkSync(join(data, 'vault.db'), file), ''],
  ['in a folder that does not exist', () => (file = join(share, 'none', 'heads')), 'ENOENT'],
])('%s is not written, is reported and does not affect anything else', async (_, prepare, why) => {
  fs.writeFileSync(join(data, 'vault.db'), 'vault');
  prepare();
  const audit = await run(1);
  expect(audit.troubles().outside?.unusable).toContain(why);
  await audit.close();
  expect(fs.readFileSync(join(data, 'vault.db'), 'utf8')).toBe('vault');
  if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() && !file.startsWith(data))
    expect(fs.readFileSync(file, 'utf8')).toMatch(/^precious\n$|^vault$/);
});

test('a share that disappears raises an alarm after some hours, and the heads follow when it is back', async () => {
  let now = 0;
  const outside = new OutsideHeads({
    folder: join(data, 'journal'),
    dataDir: data,
    key: headKey(anchorKey),
    file: choice(),
    heads: () => [],
    record: async () => {},
    log: createLogger('audit', () => {}),
    now: () => now,
  });
  await outside.look();
  expect(outside.troubles()?.unusable).toBeNull();
  fs.renameSync(share, `${share}.away`);
  now += 60 * 60_000;
  await outside.look();
  expect(outside.troubles()?.unusable).toBeNull();
  now += UNUSABLE_MS_MAX;
  await outside.look();
  expect(outside.troubles()?.unusable).toContain('ENOENT');
  fs.renameSync(`${share}.away`, share);
  now += 60 * 60_000;
  await outside.look();
  expect(outside.troubles()?.unusable).toBeNull();
  await outside.close();
  expect(fs.readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
});

test('the file stays small, and a truncated line does not affect the others', async () => {
  const key = headKey(anchorKey);
  const head = { chain: 'host', hash: 'a'.repeat(64), time: 't' } as const;
  await (await run(1)).close();
  const first = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, `${'x\n'.repeat(HEAD_FILE_BYTES_MAX / 2)}${first.trimEnd()}\n{"time":"cut`);
  await (await run(1)).close();
  expect(fs.statSync(file).size).toBeLessThan(HEAD_READ_BYTES + 10_000);
  expect(readHeads(key, fs.readFileSync(file, 'utf8'))).toMatchObject({ heads: [{ chain: 'host' }], foreign: 0 });
  const lines = [4, 9, 5].map((seq) => headLine(key, { time: 't', generation: 1, heads: [{ ...head, seq }] }));
  expect(readHeads(key, lines.join('')).heads).toEqual([{ ...head, seq: 9 }]);
  expect(readHeads(key, lines.join('').replace('"seq":9', '"seq":1'))).toMatchObject({
    foreign: 1,
    heads: [{ seq: 5 }],
  });
});

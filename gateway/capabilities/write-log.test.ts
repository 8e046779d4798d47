import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { chainRows } from '#common/node/journal/read.ts';
import { createFaults } from '#common/node/journal/testing/faults.ts';
import { plainChain } from '#common/node/journal/testing/plain-chain.ts';
import { verifyChain } from '#common/node/journal/verify.ts';
import { NodeError, type RunOrigin } from '#sdk';
import { until } from '#test/until.ts';
import type { Journal } from '../journal/contract.ts';
import { openJournal } from '../journal/journal.ts';
import { callContext } from './call-context.testing.ts';
import { CapabilityBroker } from './capability-broker.ts';
import type { Capability } from './contract.ts';
import { writeMany } from './tags/write-many.ts';
import { WriteLog, type WriteMode } from './write-log.ts';
import type { KnownThing } from './writes/planned-write.ts';

vi.setConfig({ testTimeout: 60_000 });
const KEYED: RunOrigin = { keyId: 'abcdefghijkl', keyName: 'MES', requestId: 'r1', ip: '10.0.0.7', run: 'a-1' };
const TIMER: RunOrigin = { trigger: 'every', run: 'a-2' };
const SECRET = `slc_abcdefghijkl_${'x'.repeat(49)}`;
let folder: string;
const open: Journal[] = [];

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'sluice-writes-'));
});
afterEach(async () => {
  for (const journal of open.splice(0)) await journal.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function journalOf(faults?: ReturnType<typeof createFaults>): Promise<Journal> {
  const journal = await openJournal({
    ...plainChain(folder, 'gateway'),
    ackMsMax: faults ? 800 : 20_000,
    ...(faults && { faults }),
  });
  open.push(journal);
  return journal;
}

async function rows(): Promise<AuditRow[]> {
  const found: AuditRow[] = [];
  for await (const row of chainRows(join(folder, 'gateway'), () => true)) if (row.write !== undefined) found.push(row);
  return found;
}

async function rowsOnce(count: number): Promise<AuditRow[]> {
  await until(`${count} rows`, async () => (await rows()).length >= count);
  return rows();
}

interface World {
  readonly values: Map<string, unknown>;
  readonly log: WriteLog;
  write(path: string, value: unknown, origin?: RunOrigin): Promise<unknown>;
  readonly door: CapabilityBroker;
}

/** A broker whose tags are a map; writing `-1` fails as an offline device does. */
function worldOf(journal: Journal, mode: WriteMode = 'all'): World {
  const values = new Map<string, unknown>([['line7/mode', 'Remote']]);
  const write = async (path: string, value: unknown): Promise<void> => {
    if (value === -1) throw new NodeError('device_unreachable', 'no answer from 10.0.0.7:502');
    values.set(path, value);
  };
  const tags: Capability<'tags.write' | 'tags.writeMany' | 'tags.read'> = {
    known: (_project, path) => ({ value: values.get(path) ?? null, device: 'plc' }),
    calls: {
      'tags.read': ({ path }) => ({
        path,
        value: values.get(path),
        quality: 'good',
        reason: null,
        time: null,
        unit: '',
      }),
      'tags.write': async ({ path, value }) => {
        await write(path, value);
        return null;
      },
      'tags.writeMany': async ({ writes }, _context, signal) => {
        await writeMany({ write }, writes, signal);
        return null;
      },
    },
    close: () => Promise.resolve(),
  };
  const log = new WriteLog(journal, mode);
  const door = new CapabilityBroker([tags], log);
  const send = (path: string, value: unknown, origin = KEYED) =>
    door.call(callContext({ origin: () => origin }), 'tags.write', { path, value });
  return { values, log, write: send, door };
}

test('a write has a row before it and one after it, with its value, the one before, and who made it', async () => {
  const { write, door } = worldOf(await journalOf());
  await write('line7/mode', 'Local');
  await door.call(callContext(), 'tags.read', { path: 'line7/mode' });
  const [before, after, ...more] = await rowsOnce(2);
  const fields = {
    kind: 'tag',
    thing: 'line7/mode',
    device: 'plc',
    from: '"Remote"',
    to: '"Local"',
    node: 'n',
    form: 1,
  };
  expect(before).toMatchObject({ type: 'write', project: 'p', pipeline: 'orders', ...fields, ...KEYED });
  expect(before).not.toHaveProperty('result');
  expect(after).toMatchObject({ type: 'written', ...fields, ...KEYED, result: 'done', write: before?.write });
  expect(after?.durationMs).toBeGreaterThanOrEqual(0);
  expect(more).toEqual([]);
  expect(
    (await verifyChain({ folder: join(folder, 'gateway'), chain: 'gateway', anchored: [], live: true })).findings,
  ).toEqual([]);
});

test('the row before is in the file when the write is performed', async () => {
  const journal = await journalOf();
  const { values, door } = worldOf(journal);
  const text = () =>
    fs
      .readdirSync(join(folder, 'gateway'))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => fs.readFileSync(join(folder, 'gateway', name), 'utf8'))
      .join('');
  let seen = '';
  vi.spyOn(values, 'set').mockImplementation(() => {
    seen = text();
    return values;
  });
  await door.call(callContext(), 'tags.write', { path: 'a', value: 1 });
  expect(seen).toContain('"type":"write"');
});

describe('folding', () => {
  test('writes of a trigger within a second share two rows with their number, first and last value', async () => {
    const { write, log } = worldOf(await journalOf(), 'folded');
    for (const value of [1, 2, 3]) await write('a', value, TIMER);
    await write('b', 4, TIMER);
    log.close();
    const found = await rowsOnce(4);
    const after = found.filter(({ type }) => type === 'written');
    expect(after).toHaveLength(2);
    expect(after[0]).toMatchObject({ thing: 'a', count: 3, first: '1', to: '3', result: 'done', ...TIMER });
    expect(after[1]).toMatchObject({ thing: 'b', to: '4' });
    expect(after[1]).not.toHaveProperty('count');
    expect(found.filter(({ type }) => type === 'write').map(({ thing }) => thing)).toEqual(['a', 'b']);
  });

  test('a window ends by itself, and the next write has its own rows', async () => {
    const { write } = worldOf(await journalOf(), 'folded');
    await write('a', 1, TIMER);
    await rowsOnce(2);
    await write('a', 2, TIMER);
    expect((await rowsOnce(4)).filter(({ type }) => type === 'written').map(({ to }) => to)).toEqual(['1', '2']);
  });

  test('writes of a key, of a user and of a public route are never folded', async () => {
    const { write } = worldOf(await journalOf(), 'folded');
    for (const value of [1, 2]) await write('a', value, KEYED);
    for (const value of [3, 4]) await write('a', value, { user: 'ada' });
    for (const value of [5, 6]) await write('a', value, { requestId: `r${value}`, ip: `10.0.0.${value}`, run: 'a-3' });
    const found = await rowsOnce(12);
    expect(found.filter(({ type }) => type === 'written').map(({ to }) => to)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('the worst result of a window is its result', async () => {
    const { write, log } = worldOf(await journalOf(), 'folded');
    await write('a', 1, TIMER);
    await expect(write('a', -1, TIMER)).rejects.toMatchObject({ code: 'device_unreachable' });
    await write('a', 2, TIMER);
    log.close();
    const after = (await rowsOnce(2)).find(({ type }) => type === 'written');
    expect(after).toMatchObject({ count: 3, failed: 1, result: 'unknown', code: 'device_unreachable' });
  });
});

test('with the setting off there is no row', async () => {
  const { write, values } = worldOf(await journalOf(), 'off');
  await write('a', 1);
  expect(values.get('a')).toBe(1);
  expect(await rows()).toEqual([]);
});

test('of several writes, those before the failure are done and those after it were not performed', async () => {
  const { door } = worldOf(await journalOf());
  const writes = [1, -1, 3].map((value, n) => ({ path: `t${n}`, value }));
  await expect(door.call(callContext(), 'tags.writeMany', { writes })).rejects.toMatchObject({
    message: expect.stringContaining('written before it: t0') as string,
  });
  const found = await rowsOnce(6);
  expect(found.map(({ type }) => type).join()).toBe('write,write,write,written,written,written');
  expect(found.slice(3).map(({ result }) => result)).toEqual(['done', 'unknown', 'not_performed']);
});

test('a journal that cannot be written blocks writes, and records later that they were not performed', async () => {
  const faults = createFaults();
  const journal = await journalOf(faults);
  const { write, values } = worldOf(journal);
  await write('a', 1);
  faults.set('full');
  await expect(write('a', 2)).rejects.toMatchObject({ code: 'audit_unavailable' });
  await expect(write('a', 3)).rejects.toMatchObject({ code: 'audit_unavailable' });
  expect(values.get('a')).toBe(1);
  faults.set('none');
  await until('the journal can be written', () => journal.state === 'ok');
  await write('a', 4);
  await until('the refused write has its row', async () =>
    (await rows()).some(({ result }) => result === 'not_performed'),
  );
  expect(
    (await rows())
      .filter(({ result }) => result === 'done')
      .map(({ to }) => to)
      .toSorted((a = '', b = '') => a.localeCompare(b)),
  ).toEqual(['1', '4']);
});

test('a write whose second row is missing gets one at the next start: its result is unknown', async () => {
  const first = await journalOf();
  const line = { form: 1, write: 'w-1', kind: 'tag', thing: 'a', to: '1', ...KEYED };
  await new Promise((done) =>
    first.commit(JSON.stringify({ time: new Date().toISOString(), type: 'write', ...line }), done),
  );
  await worldOf(first).write('b', 2);
  await rowsOnce(3);
  await first.close();
  await journalOf();
  const found = await rowsOnce(4);
  expect(found.at(-1)).toMatchObject({ ...line, type: 'written', result: 'unknown' });
  await open.at(-1)?.close();
  await journalOf();
  expect(await rows()).toHaveLength(4);
});

test('values are masked and clipped', async () => {
  const { write } = worldOf(await journalOf());
  await write('a', { key: SECRET, long: 'y'.repeat(5_000) });
  const [, after] = await rowsOnce(2);
  expect(after?.to).not.toContain('xxxx');
  expect(after?.to?.length).toBeLessThan(200);
});

test('a capability is asked for the known state of a thing as an object, with its own fields', async () => {
  class Held {
    readonly #value = 7;
    readonly calls = { 'tags.write': () => Promise.resolve(null) };
    known(): KnownThing {
      return { value: this.#value, device: 'plc' };
    }
    close(): Promise<void> {
      return Promise.resolve();
    }
  }
  const journal = await journalOf();
  const door = new CapabilityBroker([new Held()], new WriteLog(journal, 'all'));
  await door.call(callContext({ origin: () => KEYED }), 'tags.write', { path: 'line7/speed', value: 8 });
  const [row] = await rowsOnce(2);
  expect(row).toMatchObject({ thing: 'line7/speed', from: '7' });
});

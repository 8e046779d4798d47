import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EgressTarget } from '#common/model/egress.ts';
import { createLogger } from '#common/node/log.ts';
import { targetOf } from '../admin-api/egress-double.testing.ts';
import { BACKLOG_TARGETS_MAX, BacklogHistory } from './backlog.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-03-01T06:00:00Z');
const MES = targetOf('mes').target;
let folder: string;
let clock: number;
let logged: string[];
let gateway: { state: 'running' | 'dead'; targets: EgressTarget[]; bytes: number };
let backlog: BacklogHistory;
let stop: () => Promise<void>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlog-'));
  clock = START;
  logged = [];
  gateway = { state: 'running', targets: [], bytes: 0 };
  begin();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

const fileOf = () => join(folder, 'backlog.sqlite');

function begin(): void {
  const log = createLogger('backlog', (line) => logged.push(line));
  const link = {
    get state() {
      return gateway.state;
    },
    call: async () => {
      const { bytes, targets } = gateway;
      return { buffer: { bytes, bytesMax: 100, events: 0, eventsMax: 100 }, targets } as never;
    },
  };
  backlog = new BacklogHistory({ file: fileOf(), gateway: link, now: () => clock, log });
  // The tests turn the clock and ask themselves.
  stop = backlog.start(HOUR);
}

async function hostRestarts(): Promise<void> {
  await stop();
  begin();
}

async function seen(queued: number, bytes = 0): Promise<void> {
  gateway.targets = [targetOf('mes', { queued })];
  gateway.bytes = bytes;
  await backlog.tick();
}

const waiting = (range: '15m' | '8h' | '7d' = '15m', target = MES) => backlog.of(target, range).waiting.values;

test('each step has the highest number of waiting events, and the fullest buffer', async () => {
  await seen(3, 20);
  clock += 5 * SECOND;
  await seen(7, 50);
  clock += 4 * SECOND;
  await seen(5, 30);
  clock += SECOND;
  await seen(1, 10);
  expect(waiting().slice(-3)).toEqual([null, 7, 1]);
  expect(backlog.of(MES, '15m').filled.values.slice(-2)).toEqual([0.5, 0.1]);
  expect(waiting('8h').at(-1)).toBe(7);
  expect(waiting('7d').at(-1)).toBe(7);
  expect(waiting('15m', 'https://erp.example:443').slice(-3)).toEqual([null, 0, 0]);
});

test('the ranges have 15 min, 8 h and 7 d, and drop older values', async () => {
  await seen(4);
  const spans = (['15m', '8h', '7d'] as const).map((range) => {
    const { values, stepSeconds } = backlog.of(MES, range).waiting;
    return values.length * stepSeconds;
  });
  expect(spans).toEqual([15 * 60, 8 * 3600, 7 * 24 * 3600]);
  clock += 15 * MINUTE;
  await seen(0);
  expect(waiting().includes(4)).toBe(false);
  expect(waiting('8h').includes(4)).toBe(true);
});

test('values are unknown while the gateway is down', async () => {
  await seen(2);
  gateway.state = 'dead';
  clock += 10 * SECOND;
  await backlog.tick();
  gateway.state = 'running';
  clock += 10 * SECOND;
  await seen(9);
  expect(waiting().slice(-3)).toEqual([2, null, 9]);
});

test('after a restart of the host the steps are there, and the time between is unknown', async () => {
  await seen(6, 40);
  await hostRestarts();
  clock += 20 * SECOND;
  await seen(8);
  expect(waiting().slice(-3)).toEqual([6, null, 8]);
  expect(waiting('7d').at(-1)).toBe(8);
  clock += HOUR;
  await hostRestarts();
  expect(waiting('7d').slice(-2)).toEqual([8, null]);
  expect(waiting().includes(6)).toBe(false);
});

test('steps later than now come from a clock that was set back', async () => {
  clock += 1000 * HOUR;
  await seen(5);
  clock = START;
  await seen(1);
  await hostRestarts();
  expect(waiting('7d').slice(-2)).toEqual([null, 1]);
});

test('beyond the limit, the targets with the most events are kept', async () => {
  gateway.targets = Array.from({ length: BACKLOG_TARGETS_MAX + 1 }, (_, n) => targetOf(`t${n}`, { queued: n + 1 }));
  await backlog.tick();
  expect(waiting('15m', targetOf('t0').target).at(-1)).toBe(0);
  expect(waiting('15m', targetOf('t1').target).at(-1)).toBe(2);
  expect(waiting('15m', targetOf(`t${BACKLOG_TARGETS_MAX}`).target).at(-1)).toBe(BACKLOG_TARGETS_MAX + 1);
});

test('a file that is not a database is set aside, and the counts continue', async () => {
  await stop();
  for (const side of ['', '-wal', '-shm']) rmSync(fileOf() + side, { force: true });
  writeFileSync(fileOf(), 'this is no database, and never was one '.repeat(50));
  begin();
  await seen(2);
  await hostRestarts();
  expect(waiting().at(-1)).toBe(2);
  expect(logged.join('')).toContain('start over');
});

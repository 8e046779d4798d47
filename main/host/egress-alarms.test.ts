import { beforeEach, expect, test } from 'vitest';
import type { EgressNews } from '#common/control/messages.ts';
import { type Alarms, createAlarms } from './alarms.ts';
import { NO_NEWS } from './egress-news.testing.ts';
import { watchGateway } from './standing-alarms.ts';

type Told = Parameters<Parameters<Parameters<typeof watchGateway>[1]['on']>[0]>[0];

let alarms: Alarms;
let gateway: { state: 'running' | 'dead'; restarts: number; lastOutage: null; trouble: null };
let emit: (event: Told) => void;
beforeEach(() => {
  alarms = createAlarms();
  gateway = { state: 'running', restarts: 0, lastOutage: null, trouble: null };
  const on = (listener: (event: Told) => void): (() => void) => {
    emit = listener;
    return () => {};
  };
  watchGateway(alarms, Object.assign(gateway, { on }));
});

const tell = (news: Partial<EgressNews>): void => emit({ kind: 'egress', egress: { ...NO_NEWS, ...news } });
const codes = (): string[] => alarms.list().map(({ code }) => code);
const text = (wanted: string): string => alarms.list().find(({ code }) => code === wanted)?.text ?? '';

test('paused targets are in one alarm with their reasons, those of a user with the name, until all are resumed', () => {
  const mes = { target: 'https://mes.example:8443', reason: 'it answered 401', by: null };
  const erp = { target: 'http://erp.example:80', reason: null, by: 'Ada' };
  tell({ paused: [mes, erp] });
  expect(text('egress_paused')).toContain('https://mes.example:8443 (it answered 401)');
  expect(text('egress_paused')).toContain('http://erp.example:80 (paused by Ada)');
  tell({ paused: [erp] });
  expect(text('egress_paused')).not.toContain('mes');
  tell({});
  expect(codes()).toEqual([]);
});

test('the first of many paused targets are named and the rest counted, and a long reason is cut', () => {
  const paused = Array.from({ length: 8 }, (_, index) => ({
    target: `https://t${index}.example:443`,
    reason: 'x'.repeat(10_000),
    by: null,
  }));
  tell({ paused });
  expect(text('egress_paused')).toContain('and 3 more');
  expect(text('egress_paused')).not.toContain('t5');
  expect(text('egress_paused').length).toBeLessThan(2_000);
});

test('a backlog is reported from 80 % with its number, and clears below 75 %, not at the edge', () => {
  const stands: boolean[] = [];
  for (const filled of [0.799, 0.8, 0.79, 0.75, 0.749, 0.79, 1.2]) {
    tell({ filled });
    stands.push(codes().includes('egress_backlog'));
    if (filled === 0.79 && stands.length === 3) expect(text('egress_backlog')).toContain('79 % full');
  }
  expect(stands).toEqual([false, true, true, true, false, false, true]);
  expect(text('egress_backlog')).toContain('100 % full');
});

test('dead letters are counted until a user has decided', () => {
  tell({ dead: 1 });
  expect(text('egress_dead')).toContain('1 dead letter needs');
  tell({ dead: 12 });
  expect(text('egress_dead')).toContain('12 dead letters need');
  tell({ dead: 0 });
  expect(codes()).toEqual([]);
});

test('a storage failure is reported with its reason until it ends', () => {
  tell({ trouble: 'ENOSPC: no space left' });
  expect(text('egress_unavailable')).toContain('ENOSPC');
  tell({});
  expect(codes()).toEqual([]);
});

test('waiting events still wait without a gateway, and the next one reports whether events can be stored', () => {
  tell({ paused: [{ target: 't', reason: 'r', by: null }], dead: 1, filled: 0.9, trouble: 'EIO' });
  gateway.state = 'dead';
  emit({ kind: 'state' });
  expect(codes().toSorted()).toEqual(['egress_backlog', 'egress_dead', 'egress_paused', 'gateway_down']);
  gateway.state = 'running';
  emit({ kind: 'state' });
  expect(codes()).toContain('egress_paused');
  tell({});
  expect(codes()).toEqual([]);
});

test('a caller that uses up a shared limit is named until it is over or its gateway is gone', () => {
  tell({
    sendsHeldBy: ['http://a.example:80'],
    shareFull: [{ project: 'line-1', target: 'http://b.example:80' }],
    callsRefusedTo: ['http://c.example:80', 'http://d.example:80'],
  });
  expect(text('egress_sends_held')).toContain('calls to http://a.example:80 are in progress');
  expect(text('egress_share_full')).toContain('full for http://b.example:80 (line-1)');
  expect(text('egress_calls_refused')).toContain('to http://c.example:80, http://d.example:80 are refused');
  gateway.state = 'dead';
  emit({ kind: 'state' });
  expect(codes().toSorted()).toEqual(['egress_share_full', 'gateway_down']);
  gateway.state = 'running';
  emit({ kind: 'state' });
  tell({});
  expect(codes()).toEqual([]);
});

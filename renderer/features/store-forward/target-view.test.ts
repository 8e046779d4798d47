import { expect, test } from 'vitest';
import type { EgressTarget } from '#common/model/egress.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import {
  backlogGapMs,
  backlogPoints,
  byUrgency,
  callersOf,
  conditionOf,
  drainOf,
  mostUrgent,
  targetName,
} from './target-view.ts';
import { egressTarget as target } from '#common/model/egress.testing.ts';

const now = Date.parse('2026-10-13T12:32:00Z');
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

test('a target is described in everyday terms', () => {
  expect(conditionOf(target({}))).toBe('ready');
  expect(conditionOf(target({ deliveredPerMinute: 4 }))).toBe('delivering');
  expect(conditionOf(target({ queued: 2 }))).toBe('delivering');
  expect(conditionOf(target({ queued: 2, reason: 'the connection was refused' }))).toBe('retrying');
  expect(conditionOf(target({ state: 'paused', reason: 'it answered 401' }))).toBe('stopped');
  expect(conditionOf(target({ state: 'paused', pausedBy: 'J. Keller' }))).toBe('paused');
});

test('a paused target that accepted a test event only needs to be resumed', () => {
  const answer = (status: number | null) => ({ at: ago(1), status, text: '', durationMs: 1 });
  const paused = (status: number | null) => target({ state: 'paused', queued: 1, lastAnswer: answer(status) });
  expect([paused(201), paused(401), paused(null)].map(conditionOf)).toEqual(['tried', 'stopped', 'stopped']);
  expect(conditionOf(target({ state: 'paused', pausedBy: 'J. Keller', lastAnswer: answer(201) }))).toBe('paused');
  expect(mostUrgent([paused(201)], now)).toBeDefined();
});

test('an accepted call that began before the pause is not a test', () => {
  const accepted = (atSeconds: number, durationMs: number) =>
    target({
      state: 'paused',
      queued: 1,
      pausedAt: ago(10),
      lastAnswer: { at: ago(atSeconds), status: 200, text: '', durationMs },
    });
  expect([accepted(20, 5), accepted(9, 2_000), accepted(2, 500)].map(conditionOf)).toEqual([
    'stopped',
    'stopped',
    'tried',
  ]);
});

test('an old failure does not count once nothing is waiting', () => {
  expect(conditionOf(target({ reason: 'the connection was refused' }))).toBe('ready');
});

test('a target is named by its host, and by its port if that is not the default', () => {
  expect(targetName('https://mes.example:443').name).toBe('mes.example');
  expect(targetName('http://mes.example:443').name).toBe('mes.example:443');
  expect(targetName('https://[::1]:8443')).toEqual({
    name: '[::1]:8443',
    host: '[::1]',
    scheme: 'https',
    port: '8443',
  });
});

const stopped = target({ id: 'stopped', state: 'paused', queued: 1 });
const byPerson = target({ id: 'by-person', state: 'paused', pausedBy: 'J. Keller', queued: 9 });
const retrying = (waited: number) =>
  target({ id: 'retrying', queued: 3, reason: 'it answered 503', oldestAt: ago(waited) });

test('targets that Sluice paused come first, then those that have accepted nothing for a minute', () => {
  expect(mostUrgent([retrying(300), byPerson, stopped], now)?.id).toBe('stopped');
  expect(mostUrgent([byPerson, retrying(60)], now)?.id).toBe('retrying');
});

test('a short wait or a deliberate pause needs no attention', () => {
  expect(mostUrgent([retrying(59), byPerson, target({})], now)).toBeUndefined();
});

test('a deliberate pause needs attention if it will fill the buffer within a week', () => {
  expect(mostUrgent([{ ...byPerson, fullInSeconds: 3600 }], now)?.id).toBe('by-person');
  expect(mostUrgent([{ ...byPerson, fullInSeconds: 10_000_000 }], now)).toBeUndefined();
});

test('the target that fills the buffer soonest comes first among equals, then the longest queue', () => {
  const ids = (targets: EgressTarget[]) => byUrgency(targets, now).map(({ id }) => id);
  const one = { ...stopped, id: 'one', queued: 1, fullInSeconds: 60 };
  const two = { ...stopped, id: 'two', queued: 500 };
  const three = { ...stopped, id: 'three', queued: 5 };
  expect(ids([three, two, one])).toEqual(['one', 'two', 'three']);
});

test('the callers of a target are the pipelines with a node that calls it, with or without the default port', () => {
  const pipeline = (id: string, settings: Record<string, unknown>, kind = 'rest-api') =>
    ({ id, nodes: [{ id: 'n', kind, settings }] }) as unknown as PipelineRecord;
  const pipelines = [
    pipeline('template', { mode: 'egress', url: 'https://MES.example/orders/{{payload.params.id}}' }),
    pipeline('written', { mode: 'egress', url: 'https://mes.example:443/x' }),
    pipeline('other-port', { mode: 'egress', url: 'https://mes.example:8443/x' }),
    pipeline('ingress', { mode: 'ingress', urlPattern: '/x' }),
    pipeline('broken', { mode: 'egress', url: 'mes' }),
    pipeline('other-kind', { url: 'https://mes.example/x' }, 'script'),
  ];
  expect(callersOf('https://mes.example:443', pipelines).map(({ id }) => id)).toEqual(['template', 'written']);
});

test('a backlog has a point at the end of each known step, and the line breaks at an unknown one', () => {
  const series = { from: new Date(now - 25_000).toISOString(), stepSeconds: 10, values: [3, null, 5] };
  const points = backlogPoints(series, now);
  expect(points).toEqual([
    { at: now - 15_000, value: 3 },
    { at: now, value: 5 },
  ]);
  expect(now - (now - 15_000)).toBeGreaterThanOrEqual(backlogGapMs(series));
});

test('a backlog being sent shows the cleared part of its peak, unless it is small or nothing is being sent', () => {
  const series = (values: (number | null)[]) => ({ from: ago(900), stepSeconds: 10, values });
  expect(drainOf(target({ queued: 30 }), series([null, 40, 12]))).toEqual({ done: 10, of: 40 });
  expect(drainOf(target({ queued: 50 }), series([40]))).toEqual({ done: 0, of: 50 });
  expect(drainOf(target({ queued: 3 }), series([9]))).toBeNull();
  expect(drainOf(target({ queued: 0 }), series([40]))).toBeNull();
  expect(drainOf(target({ queued: 30, state: 'paused' }), series([40]))).toBeNull();
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { tagDefinition, type TagDefinition } from '#common/model/tag.ts';
import type { Sample, TagProvider } from '../contract.ts';
import { createSimulator } from './simulator-provider.ts';
import { TICK_MS } from './wheel.ts';

const T0 = Date.parse('2026-03-01T06:00:00Z');

const samples = new Map<string, Sample[]>();
let simulator: TagProvider;

/** The tests are about time, so they control the clock. */
beforeEach(() => {
  vi.useFakeTimers({ now: T0 });
  samples.clear();
  simulator = createSimulator({
    sink: {
      sample: (path, sample) => void samples.set(path, [...(samples.get(path) ?? []), sample]),
      lost: () => expect.fail('a simulator is never lost'),
    },
  });
});
afterEach(async () => {
  await simulator.close();
  vi.useRealTimers();
});

const tag = (path: string, source: object, more: object = {}): TagDefinition =>
  tagDefinition.parse({ path, type: 'number', source: { provider: 'simulator', ...source }, ...more });
const of = (path: string): Sample[] => samples.get(path) ?? [];
const values = (path: string): unknown[] => of(path).map(({ value }) => value);

describe('a simulated tag', () => {
  test('has a value at once and then one at each multiple of its interval', () => {
    vi.setSystemTime(T0 + 300);
    simulator.configure([tag('fast', { shape: 'ramp', interval: 0.5 }), tag('slow', { shape: 'ramp', interval: 2 })]);
    vi.advanceTimersByTime(4_000);
    expect(of('fast').map(({ time }) => time - T0)).toEqual([300, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000]);
    expect(of('slow').map(({ time }) => time - T0)).toEqual([300, 2000, 4000]);
  });

  test('is a sine or a ramp of the time only', () => {
    const shape = { min: 10, max: 20, period: 8, interval: 1 };
    simulator.configure([tag('sine', { ...shape, shape: 'sine' }), tag('ramp', { ...shape, shape: 'ramp' })]);
    vi.advanceTimersByTime(8_000);
    for (const { time, value } of of('sine'))
      expect(value).toBeCloseTo(15 + 5 * Math.sin((2 * Math.PI * (time % 8_000)) / 8_000), 6);
    expect(values('ramp')).toEqual([10, 11.25, 12.5, 13.75, 15, 16.25, 17.5, 18.75, 10]);
    expect(of('ramp').every(({ quality, reason }) => quality === 'good' && reason === null)).toBe(true);
  });

  test('counts from its lowest value to its highest and starts again', () => {
    simulator.configure([
      tag('counter', { shape: 'counter', min: 5, max: 7, interval: 1 }),
      tag('still', { shape: 'counter', min: 5, max: 5, interval: 1 }),
    ]);
    vi.advanceTimersByTime(4_000);
    expect(values('counter')).toEqual([5, 6, 7, 5, 6]);
    expect(values('still')).toEqual([5, 5, 5, 5, 5]);
  });

  test('is random within its bounds', () => {
    simulator.configure([tag('random', { shape: 'random', min: -1, max: 1, interval: 0.05 })]);
    vi.advanceTimersByTime(10_000);
    const seen = values('random') as number[];
    expect(seen).toHaveLength(201);
    expect(seen.every((value) => value >= -1 && value < 1)).toBe(true);
    expect(new Set(seen).size).toBeGreaterThan(150);
  });

  test.each([
    ['integer', [0, 1, 2, 3, 4]],
    ['boolean', [false, false, true, true, false]],
    ['text', ['0', '1', '2', '3', '0']],
  ] as const)('shows a ramp in the type %s', (type, expected) => {
    const max = type === 'integer' ? 8 : 4;
    const period = type === 'integer' ? 8 : 4;
    simulator.configure([tag('a', { shape: 'ramp', max, period, interval: 1 }, { type })]);
    vi.advanceTimersByTime(4_000);
    expect(values('a')).toEqual(expected);
  });

  test('continues to count when others are added, is silent when removed, and starts over with another source', () => {
    const counter = tag('counter', { shape: 'counter', interval: 1 });
    const other = tag('other', { shape: 'counter', interval: 1 });
    simulator.configure([counter, other]);
    vi.advanceTimersByTime(2_000);
    simulator.configure([{ ...counter, title: 'Counter' }]);
    vi.advanceTimersByTime(1_000);
    expect(values('counter')).toEqual([0, 1, 2, 3]);
    expect(values('other')).toEqual([0, 1, 2]);
    simulator.configure([tag('counter', { shape: 'counter', interval: 2 })]);
    vi.advanceTimersByTime(4_000);
    expect(values('counter').slice(4)).toEqual([0, 1, 2]);
  });

  test('cannot be written', async () => {
    const sine = tag('a', { shape: 'sine' });
    simulator.configure([sine]);
    await expect(simulator.write(sine, 1, new AbortController().signal)).rejects.toMatchObject({
      code: 'tag_read_only',
    });
  });

  test('shares one timer with all the others, and leaves none', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => tag(`t${n}`, { shape: 'ramp', interval: 0.05 + n / 10 }));
    simulator.configure(many);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(120_000);
    expect(of('t0')).toHaveLength(2_401);
    expect(of('t999'), 'an interval longer than one turn of the wheel').toHaveLength(2);
    simulator.configure([]);
    expect(vi.getTimerCount()).toBe(0);
    simulator.configure(many.slice(0, 1));
    await simulator.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('skips values missed while the process was suspended, and follows a clock change', () => {
    simulator.configure([tag('a', { shape: 'ramp', interval: 1 })]);
    vi.setSystemTime(T0 + 600_000);
    vi.advanceTimersByTime(TICK_MS);
    expect(of('a').map(({ time }) => time - T0)).toEqual([0, 600_000]);
    vi.setSystemTime(T0 - 3_600_000);
    vi.advanceTimersByTime(2_000);
    expect(of('a').slice(2).length).toBeGreaterThanOrEqual(2);
    expect(of('a').at(-1)?.time).toBe(T0 - 3_600_000 + 2_000);
  });
});

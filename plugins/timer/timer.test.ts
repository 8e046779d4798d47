import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Trigger } from '#sdk';
import { faultsOf, messageOf, nodeOf, testRun } from '#sdk/testing.ts';
import { timer } from './index.ts';

interface Tick {
  time: string;
  scheduled: string;
  tick: number;
}

/** A trigger whose runs last as long as the test requires. */
class TestTrigger implements Trigger {
  active = 0;
  takes = true;
  readonly ticks: Tick[] = [];
  readonly lines: string[] = [];
  emit(payload: unknown): boolean {
    if (this.takes) this.ticks.push(payload as Tick);
    return this.takes;
  }
  onMessages(): void {
    throw new Error('a timer listens to no channel');
  }
  onTags(): void {
    throw new Error('a timer listens to no tags');
  }
  log(level: string, message: string): void {
    this.lines.push(`${level}: ${message}`);
  }
}

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-03-01T06:00:00Z') }));
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

async function started(settings: object): Promise<{ trigger: TestTrigger; close: () => void }> {
  const node = await nodeOf(timer, settings);
  const trigger = new TestTrigger();
  expect(vi.getTimerCount(), 'before it begins').toBe(0);
  node.begin?.(trigger);
  return { trigger, close: () => void node.close?.() };
}

const scheduled = (trigger: TestTrigger): string[] => trigger.ticks.map((tick) => tick.scheduled);

describe('every', () => {
  test('ticks after each interval and passes on the time, the number and the due time of the tick', async () => {
    const { trigger, close } = await started({ every: 10 });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(trigger.ticks).toEqual([]);
    await vi.advanceTimersByTimeAsync(20_001);
    expect(trigger.ticks).toEqual(
      [10, 20, 30].map((second, index) => ({
        time: `2026-03-01T06:00:${second}.000Z`,
        scheduled: `2026-03-01T06:00:${second}.000Z`,
        tick: index + 1,
      })),
    );
    close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(trigger.ticks).toHaveLength(3);
  });

  test('does not drift, even if the interval is not a whole number of milliseconds', async () => {
    const { trigger, close } = await started({ every: 0.3333 });
    await vi.advanceTimersByTimeAsync(3_333_000 + 1);
    expect(trigger.ticks).toHaveLength(10_000);
    close();
  });

  test('does not catch up after a sleep: one tick, then as before', async () => {
    const { trigger, close } = await started({ every: 10 });
    await vi.advanceTimersByTimeAsync(10_000);
    // The clocks advance without firing timers.
    const asleep = performance.now() + 3_603_000;
    vi.spyOn(performance, 'now').mockReturnValue(asleep);
    vi.setSystemTime(Date.parse('2026-03-01T07:00:13Z'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(trigger.ticks).toHaveLength(2);
    expect(trigger.ticks[1]).toMatchObject({ tick: 2 });
    close();
  });

  test('is not affected when the clock is set', async () => {
    const { trigger, close } = await started({ every: 10 });
    vi.setSystemTime(Date.parse('2020-01-01T00:00:00Z'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(scheduled(trigger)).toEqual([10, 20, 30].map((second) => `2020-01-01T00:00:${second}.000Z`));
    close();
  });

  test('may be longer than the maximum of a timer', async () => {
    const { trigger, close } = await started({ every: 31 * 86_400 });
    await vi.advanceTimersByTimeAsync(31 * 86_400_000 - 1);
    expect(trigger.ticks).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(scheduled(trigger)).toEqual(['2026-04-01T06:00:00.000Z']);
    close();
  });
});

describe('overlap', () => {
  test('is skipped, counted, and reported at most once a minute', async () => {
    const { trigger, close } = await started({ every: 1 });
    trigger.active = 1;
    await vi.advanceTimersByTimeAsync(125_000);
    expect(trigger.ticks).toEqual([]);
    expect(trigger.lines).toEqual([
      'warn: 1 tick was left out; the last one because the run before was still under way',
      'warn: 60 ticks were left out; the last one because the run before was still under way',
      'warn: 60 ticks were left out; the last one because the run before was still under way',
    ]);
    trigger.active = 0;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(trigger.ticks).toMatchObject([{ tick: 126 }]);
    close();
  });

  test('is allowed if configured', async () => {
    const { trigger, close } = await started({ every: 1, overlap: true });
    trigger.active = 5;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(trigger.ticks).toHaveLength(3);
    close();
  });

  test('a tick that the pipeline does not accept is reported too', async () => {
    const { trigger, close } = await started({ every: 1, overlap: true });
    trigger.takes = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(trigger.lines).toEqual([expect.stringMatching(/^warn: 1 tick was left out.*too many runs/)]);
    close();
  });
});

describe('cron', () => {
  const at = async (now: string, settings: object, hours: number): Promise<string[]> => {
    vi.setSystemTime(Date.parse(now));
    const { trigger, close } = await started(settings);
    await vi.advanceTimersByTimeAsync(hours * 3_600_000);
    close();
    return scheduled(trigger);
  };
  const berlin = (cron: string) => ({ cron, timeZone: 'Europe/Berlin' });

  test('follows the clock of its time zone, in winter and in summer', async () => {
    expect(await at('2026-01-10T00:00:00Z', berlin('0 6,14,22 * * *'), 24)).toEqual([
      '2026-01-10T05:00:00.000Z',
      '2026-01-10T13:00:00.000Z',
      '2026-01-10T21:00:00.000Z',
    ]);
    expect(await at('2026-07-10T00:00:00Z', berlin('0 6,14,22 * * *'), 24)).toEqual([
      '2026-07-10T04:00:00.000Z',
      '2026-07-10T12:00:00.000Z',
      '2026-07-10T20:00:00.000Z',
    ]);
  });

  test.each(['30 2 * * *', '30 2,14 * * *'])(
    '%s runs right after the gap in spring, and once in autumn',
    async (cron) => {
      const spring = await at('2026-03-28T12:00:00Z', berlin(cron), 36);
      expect(spring.filter((time) => !/T1[23]:/.test(time))).toEqual(['2026-03-29T01:00:00.000Z']);
      const autumn = await at('2026-10-24T14:00:00Z', berlin(cron), 20);
      expect(autumn.filter((time) => !/T1[23]:/.test(time))).toEqual(['2026-10-25T00:30:00.000Z']);
    },
  );

  test('an hourly schedule ticks every existing hour, through both changes', async () => {
    const hours = (from: string, count: number) =>
      Array.from({ length: count }, (_, i) => new Date(Date.parse(from) + (i + 1) * 3_600_000).toISOString());
    for (const from of ['2026-03-28T22:00:00.000Z', '2026-10-24T22:00:00.000Z'])
      expect(await at(from, berlin('0 * * * *'), 6)).toEqual(hours(from, 6));
  });

  test('with six fields counts seconds', async () => {
    expect(await at('2026-03-01T06:00:00Z', { cron: '*/20 * * * * *', timeZone: 'UTC' }, 1 / 60)).toEqual([
      '2026-03-01T06:00:20.000Z',
      '2026-03-01T06:00:40.000Z',
      '2026-03-01T06:01:00.000Z',
    ]);
  });

  test('without a time zone uses that of the machine', async () => {
    const { trigger, close } = await started({ cron: '* * * * *' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(trigger.ticks).toHaveLength(1);
    close();
  });

  test('skips ticks missed during a sleep, and reports them', async () => {
    vi.setSystemTime(Date.parse('2026-03-01T05:59:50Z'));
    const { trigger, close } = await started({ cron: '0 6 * * *', timeZone: 'UTC' });
    vi.setSystemTime(Date.parse('2026-03-01T09:00:00Z'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(trigger.ticks).toEqual([]);
    expect(trigger.lines).toEqual([expect.stringMatching(/1 tick was left out.*did the machine sleep/)]);
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(scheduled(trigger)).toEqual(['2026-03-02T06:00:00.000Z']);
    close();
  });

  test('notices within a minute that the clock was set back or forward', async () => {
    vi.setSystemTime(Date.parse('2026-03-01T12:00:00Z'));
    const { trigger, close } = await started({ cron: '0 6 * * *', timeZone: 'UTC' });
    await vi.advanceTimersByTimeAsync(1_000);
    vi.setSystemTime(Date.parse('2026-03-01T05:50:00Z'));
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(scheduled(trigger)).toEqual(['2026-03-01T06:00:00.000Z']);
    vi.setSystemTime(Date.parse('2026-03-02T05:58:00Z'));
    await vi.advanceTimersByTimeAsync(3 * 60_000);
    expect(scheduled(trigger)).toEqual(['2026-03-01T06:00:00.000Z', '2026-03-02T06:00:00.000Z']);
    close();
  });
});

test('a run receives the tick that started it, and its time limit', async () => {
  const node = await nodeOf(timer, { every: 1, timeout: 120 });
  const message = messageOf({ tick: 1 });
  expect(node.run(message, testRun())).toEqual({ port: 'out', message });
  expect(node.runSeconds).toBe(120);
  await node.close?.();
});

test.each([
  [{}, /: expected exactly one of every, cron/],
  [{ every: 1, cron: '* * * * *' }, /: expected exactly one of every, cron/],
  [{ every: 0.05 }, /^every: expected seconds/],
  [{ every: 2_678_401 }, /^every: expected seconds/],
  [{ every: '10' }, /^every: expected seconds/],
  [{ every: 1, timeZone: 'UTC' }, /^timeZone: expected a time zone only with cron/],
  [{ cron: '* * * *' }, /^cron: expected a cron expression of 5 fields/],
  [{ cron: '* * * * * * 2030' }, /^cron: expected a cron expression of 5 fields/],
  [{ cron: '@daily' }, /^cron: expected a cron expression of 5 fields/],
  [{ cron: '2026-01-01T00:00:00' }, /^cron: expected a cron expression of 5 fields/],
  [{ cron: '61 * * * *' }, /^cron: expected a cron expression.*Invalid value for minute: 61/],
  [{ cron: '*/0 * * * *' }, /^cron: expected a cron expression/],
  [{ cron: 'a b c d e' }, /^cron: expected a cron expression/],
  [{ cron: '0 0 30 2 *' }, /^cron: expected a cron expression of a time that comes/],
  [{ cron: `${'0,'.repeat(200)}0 * * * *` }, /^cron: expected at most 200 characters/],
  [{ cron: '* * * * *', timeZone: 'Europe/Nowhere' }, /^timeZone: expected the name of a time zone/],
  [{ cron: '* * * * *', timeZone: '+01:00' }, /^timeZone: expected the name of a time zone/],
  [{ cron: '* * * * *', timeZone: '' }, /^timeZone: expected the name of a time zone/],
  [{ every: 1, timeout: 0 }, /^timeout: expected seconds/],
  [{ every: 1, overlap: 'no' }, /^overlap: expected true or false/],
])('%j is refused on saving', (settings, says) => {
  expect(faultsOf(timer, settings)).toEqual([expect.stringMatching(says)]);
});

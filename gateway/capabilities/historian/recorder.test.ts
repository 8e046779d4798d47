import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TagDefinition, TagQuality } from '#common/model/tag.ts';
import { decode, qualityOf } from './form.ts';
import { type FakeTags, fakeTags, recordedTag } from './fake-tags.ts';
import { Recorder } from './recorder.ts';

const START = Date.parse('2026-03-02T06:00:00Z');
const DAY_MS = 86_400_000;

let tags: FakeTags;
let points: [offsetMs: number, value: unknown, quality?: TagQuality][];
let room: boolean;
let recorder: Recorder;
let units: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  tags = fakeTags();
  points = [];
  units = [];
  room = true;
  recorder = new Recorder(tags, put, Date.now);
});

afterEach(() => {
  recorder.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function put(
  series: { unit: string },
  time: number,
  { form, stored }: { form: number; stored: string | number | null },
) {
  if (!room) return false;
  const quality = qualityOf(form);
  const value = decode(form, stored);
  points.push(quality === 'good' ? [time - START, value] : [time - START, value, quality]);
  units.push(series.unit);
  return true;
}

function record(history: object, more: Partial<TagDefinition> = {}): void {
  recorder.configure('p', [recordedTag({ path: 'a', ...more, history })]);
}

/** A sample that arrives at its source time. */
function sample(value: unknown, quality?: TagQuality): void {
  tags.sample('a', value, Date.now(), quality);
}

async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
}

describe('a change', () => {
  test('is recorded beyond the deadband from the last point, and not up to it', async () => {
    record({ deadband: 2 });
    for (const value of [10, 11, 12, 12.5, 11, 10.5, 10.4]) {
      sample(value);
      await pass(1);
    }
    expect(points).toEqual([
      [0, 10],
      [3_000, 12.5],
      [6_000, 10.4],
    ]);
  });

  test('of any size is recorded without a deadband, but an equal value is not', async () => {
    record({});
    for (const value of [1, 1, 1.000001, 1.000001]) {
      sample(value);
      await pass(1);
    }
    expect(points).toEqual([
      [0, 1],
      [2_000, 1.000001],
    ]);
  });

  test('of a string, a boolean or JSON is any other value', async () => {
    record({ deadband: 100 }, { type: 'json' });
    for (const value of ['a', 'a', 'b', true, true, false, { n: 1 }, { n: 1 }, { n: 2 }]) {
      sample(value);
      await pass(1);
    }
    expect(points.map(([, value]) => value)).toEqual(['a', 'b', true, false, { n: 1 }, { n: 2 }]);
  });

  test('of quality is always recorded, and a bad one without its value', async () => {
    record({ deadband: 100 });
    for (const quality of ['good', 'uncertain', 'bad', 'bad', 'good'] as const) {
      sample(5, quality);
      await pass(1);
    }
    expect(points).toEqual([
      [0, 5],
      [1_000, 5, 'uncertain'],
      [2_000, null, 'bad'],
      [4_000, 5],
    ]);
  });

  test('to a value that cannot be stored is recorded as bad', () => {
    record({}, { type: 'json' });
    sample('x'.repeat(70_000));
    tags.sample('a', Number.NaN, START + 1);
    tags.sample('a', 3, START + 2);
    expect(points).toEqual([
      [0, null, 'bad'],
      [2, 3],
    ]);
  });
});

describe('the longest interval', () => {
  test('records an unchanged value again, but not earlier', async () => {
    record({ maxInterval: 60 });
    sample(5);
    await pass(59);
    expect(points).toEqual([[0, 5]]);
    await pass(62);
    expect(points).toEqual([
      [0, 5],
      [60_000, 5],
      [120_000, 5],
    ]);
  });

  test('counts from the last point, and records the current value', async () => {
    record({ maxInterval: 60, deadband: 10 });
    sample(5);
    await pass(30);
    sample(50);
    await pass(50);
    sample(51);
    await pass(15);
    expect(points).toEqual([
      [0, 5],
      [30_000, 50],
      [90_000, 51],
    ]);
  });

  test('holds for more than one turn of the timer wheel', async () => {
    record({ maxInterval: 7_200 });
    sample(5);
    await pass(7_199);
    expect(points).toHaveLength(1);
    await pass(3);
    expect(points).toHaveLength(2);
  });

  test('takes effect at once when it is shortened', async () => {
    record({ maxInterval: 3_600 });
    sample(5);
    await pass(100);
    record({ maxInterval: 60 });
    await pass(2);
    expect(points).toHaveLength(2);
    await pass(60);
    expect(points).toHaveLength(3);
  });

  test('continues when the clock is set back', async () => {
    record({ maxInterval: 60 });
    sample(5);
    await pass(10);
    vi.setSystemTime(START - DAY_MS);
    await pass(65);
    expect(points.length).toBeGreaterThan(1);
    expect(points.length).toBeLessThan(5);
  });

  test('starts with an older value, which is recorded at its own time and as of now', async () => {
    tags.sample('a', 5, START - DAY_MS);
    record({ maxInterval: 60 });
    await pass(1);
    expect(points).toEqual([
      [-DAY_MS, 5],
      [1_000, 5],
    ]);
  });

  test('needs one timer for 1,000 tags', async () => {
    recorder.configure(
      'p',
      Array.from({ length: 1_000 }, (_, n) => recordedTag({ path: `t${n}`, history: { maxInterval: 60 } })),
    );
    expect(vi.getTimerCount()).toBe(1);
    for (let n = 0; n < 1_000; n++) tags.sample(`t${n}`, n, START);
    await pass(60);
    expect(points).toHaveLength(2_000);
  });
});

describe('source times', () => {
  test('out of order are kept unchanged, and do not count as the last value', () => {
    record({ deadband: 5 });
    tags.sample('a', 10, START + 5_000);
    tags.sample('a', 11, START + 3_000);
    tags.sample('a', 12, START + 6_000);
    tags.sample('a', 17, START + 7_000);
    expect(points).toEqual([
      [5_000, 10],
      [3_000, 11],
      [7_000, 17],
    ]);
  });

  test('that repeat replace the value, also within the deadband', () => {
    record({ deadband: 5 });
    tags.sample('a', 10, START);
    tags.sample('a', 11, START);
    tags.sample('a', 11, START);
    expect(points).toEqual([
      [0, 10],
      [0, 11],
    ]);
  });

  test('of a lost device do not overwrite its last value, nor does the same value when it is back', async () => {
    record({});
    tags.sample('a', 10, START);
    await pass(5);
    tags.sample('a', null, START, 'bad');
    await pass(5);
    tags.sample('a', null, START, 'bad');
    tags.sample('a', 10, START);
    expect(points).toEqual([
      [0, 10],
      [5_000, null, 'bad'],
      [10_000, 10],
    ]);
  });

  test('that are missing or far ahead are replaced with the time of arrival', async () => {
    record({});
    tags.sample('a', 1, null);
    await pass(5);
    tags.sample('a', 2, START + 10 * DAY_MS);
    expect(points).toEqual([
      [0, 1],
      [5_000, 2],
    ]);
  });
});

describe('points that cannot be accepted', () => {
  test('show as a gap once recording resumes, which it does by itself', async () => {
    record({ deadband: 5 });
    sample(10);
    room = false;
    await pass(10);
    sample(20);
    await pass(10);
    sample(21);
    room = true;
    await pass(2);
    expect(points).toEqual([
      [0, 10],
      [10_000, null, 'bad'],
      [21_000, 21],
    ]);
  });

  test('leave no gap after a late sample', async () => {
    record({});
    tags.sample('a', 10, START + 1_000);
    room = false;
    await pass(5);
    tags.sample('a', 20, START + 5_000);
    room = true;
    tags.sample('a', 15, START + 2_000);
    await pass(2);
    expect(points).toEqual([
      [1_000, 10],
      [2_000, 15],
      [5_000, null, 'bad'],
      [6_000, 20],
    ]);
  });
});

describe('resources that change', () => {
  test('keep one watch per project and do not record existing values again', () => {
    record({ deadband: 5 });
    sample(10);
    recorder.configure('p', [
      recordedTag({ path: 'a', unit: 'bar', history: { deadband: 1 } }),
      recordedTag({ path: 'b' }),
    ]);
    expect(tags.watches).toBe(1);
    expect(points).toEqual([[0, 10]]);
    tags.sample('a', 12, START + 1_000);
    expect(points.at(-1)).toEqual([1_000, 12]);
    expect(units.at(-1)).toBe('bar');
  });

  test('end the recording of a tag whose history is off, or that is removed with or without its project', async () => {
    recorder.configure(
      'p',
      ['a', 'b', 'c'].map((path) => recordedTag({ path, history: { maxInterval: 1 } })),
    );
    for (const path of ['a', 'b', 'c']) tags.sample(path, 1, START);
    recorder.configure('p', [
      recordedTag({ path: 'a', history: null }),
      recordedTag({ path: 'c', history: { maxInterval: 1 } }),
    ]);
    points.length = 0;
    for (const path of ['a', 'b']) tags.sample(path, 2, START + 1_000);
    expect(points).toEqual([]);
    recorder.remove('p');
    await pass(10);
    expect(points).toEqual([]);
    expect(tags.watches).toBe(0);
  });
});

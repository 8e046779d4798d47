import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TagValue } from '#common/model/tag.ts';
import type { NodeInstance, Trigger } from '#sdk';
import { faultsOf, nodeOf } from '../sdk/testing.ts';
import { KNOWN_MAX, WAITING_MAX } from './changes.ts';
import { tagChange } from './index.ts';

interface Begun {
  readonly node: NodeInstance;
  readonly payloads: { tag: string; value: unknown; previous: unknown }[];
  readonly lines: string[];
  readonly patterns: string[];
  /** False: there is no capacity for a run. */
  room: boolean;
  tell(path: string, value: unknown, more?: Partial<TagValue>): void;
}

async function begin(settings: object = {}): Promise<Begun> {
  const node = await nodeOf(tagChange, { tags: '**', ...settings });
  const listeners: ((value: TagValue) => void)[] = [];
  const begun: Begun = {
    node,
    payloads: [],
    lines: [],
    patterns: [],
    room: true,
    tell(path, value, more = {}) {
      const told = { path, value, quality: 'good' as const, reason: null, time: null, unit: '', ...more };
      for (const listener of listeners) listener(told);
    },
  };
  const trigger: Trigger = {
    active: 0,
    emit(payload) {
      if (begun.room) begun.payloads.push(payload as Begun['payloads'][number]);
      return begun.room;
    },
    onMessages: () => expect.fail('it waits for no messages'),
    onTags(patterns, listener) {
      begun.patterns.push(...patterns);
      listeners.push(listener);
    },
    log: (level, message) => void begun.lines.push(`${level}: ${message}`),
  };
  node.begin?.(trigger);
  return begun;
}

const seen = ({ payloads }: Begun) => payloads.map(({ tag, value, previous }) => [tag, value, previous]);

describe('a change of a tag', () => {
  test('starts a run with the value and the previous one; the first value starts none', async () => {
    const begun = await begin({ tags: 'a, b/*' });
    expect(begun.patterns).toEqual(['a', 'b/*']);
    begun.tell('a', 1);
    begun.tell('a', 2, { time: '2026-03-01T06:00:00.000Z', unit: 'bpm' });
    begun.tell('a', 2);
    expect(begun.payloads).toEqual([
      {
        tag: 'a',
        value: 2,
        quality: 'good',
        reason: null,
        time: '2026-03-01T06:00:00.000Z',
        unit: 'bpm',
        previous: 1,
      },
    ]);
    begun.tell('b/x', 1);
    begun.tell('b/x', 3);
    expect(seen(begun).slice(1)).toEqual([['b/x', 3, 1]]);
  });

  test('includes a change of the quality, but not of its reason alone', async () => {
    const begun = await begin();
    begun.tell('a', 1);
    begun.tell('a', null, { quality: 'bad', reason: 'no answer' });
    begun.tell('a', null, { quality: 'bad', reason: 'refused' });
    begun.tell('a', 1);
    expect(begun.payloads).toMatchObject([
      { value: null, quality: 'bad', reason: 'no answer', previous: 1 },
      { value: 1, quality: 'good', previous: null },
    ]);
  });

  test('of JSON is detected by its content', async () => {
    const begun = await begin();
    const told: unknown[] = [{ n: [1], m: 0 }, { m: 0, n: [1] }, { n: [2], m: 0 }, { n: [2] }, [2], { 0: 2 }, null];
    for (const value of told) begun.tell('a', value);
    expect(begun.payloads.map(({ value }) => value)).toEqual(told.slice(2));
  });

  test('of a number must exceed the deadband, measured from the value that the last run received', async () => {
    const begun = await begin({ deadband: 0.5 });
    for (const value of [10, 10.3, 10.5, 10.6, 10.9, 11.2, 9]) begun.tell('a', value);
    expect(seen(begun)).toEqual([
      ['a', 10.6, 10],
      ['a', 11.2, 10.6],
      ['a', 9, 11.2],
    ]);
    begun.tell('b', 'x');
    begun.tell('b', 'y');
    expect(seen(begun).at(-1)).toEqual(['b', 'y', 'x']);
  });
});

describe('a change for which there is no capacity', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('waits in the order in which the tags started to wait, with only the latest change of each', async () => {
    const begun = await begin();
    for (const tag of ['a', 'b']) begun.tell(tag, 0);
    begun.room = false;
    begun.tell('b', 1);
    begun.tell('a', 1);
    begun.tell('b', 2);
    vi.advanceTimersByTime(1_000);
    expect(begun.payloads).toEqual([]);
    begun.room = true;
    begun.tell('a', 2);
    vi.advanceTimersByTime(1_000);
    expect(seen(begun)).toEqual([
      ['b', 2, 0],
      ['a', 2, 0],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is dropped if the value returns to the one that the last run received', async () => {
    const begun = await begin();
    begun.tell('a', 0);
    begun.room = false;
    begun.tell('a', 1);
    begun.tell('a', 0);
    begun.room = true;
    vi.advanceTimersByTime(1_000);
    expect(begun.payloads).toEqual([]);
  });

  test('is dropped and logged if too many wait, and detected again with the next sample', async () => {
    const begun = await begin();
    const tags = Array.from({ length: WAITING_MAX + 2 }, (_, n) => `t${n}`);
    for (const tag of tags) begun.tell(tag, 0);
    begun.room = false;
    for (const tag of tags) begun.tell(tag, 1);
    expect(begun.lines).toEqual([expect.stringMatching(/^warn: 1 changes of tags were dropped/)]);
    begun.room = true;
    vi.advanceTimersByTime(1_000);
    expect(begun.payloads).toHaveLength(WAITING_MAX);
    for (const tag of tags) begun.tell(tag, 1);
    expect(begun.payloads).toHaveLength(WAITING_MAX + 2);
  });

  test('ends with the pipeline, and so does its timer', async () => {
    const begun = await begin();
    begun.tell('a', 0);
    begun.room = false;
    begun.tell('a', 1);
    expect(vi.getTimerCount()).toBe(1);
    await begun.node.close?.();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('tags above the limit of a trigger displace the one known longest', async () => {
  const begun = await begin();
  for (let n = 0; n <= KNOWN_MAX; n++) begun.tell(`t${n}`, 0);
  begun.tell(`t${KNOWN_MAX}`, 1);
  begun.tell('t0', 1);
  expect(seen(begun)).toEqual([[`t${KNOWN_MAX}`, 1, 0]]);
});

test.each([
  [{}, /^tags: expected a list/],
  [{ tags: '' }, /^tags: expected at least one tag/],
  [{ tags: ['a b'] }, /^tags.0: expected a tag path/],
  [{ tags: 'a', deadband: -1 }, /^deadband: expected a number of 0 or more/],
  [{ tags: Array.from({ length: 201 }, () => 'a') }, /^tags: expected at most 200 tags/],
])('settings %o are refused', (settings, fault) => {
  expect(faultsOf(tagChange, settings)).toEqual([expect.stringMatching(fault)]);
});

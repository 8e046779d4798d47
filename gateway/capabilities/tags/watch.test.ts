import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TagValue } from '#common/model/tag.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { WATCHERS_MAX } from './project-tags.ts';
import { fed, memory, type TagsWorld, tagsWorld } from './tags-world.testing.ts';

const dir = dirPerTest();
let world: TagsWorld;
beforeEach(() => {
  world = tagsWorld(dir.path);
});
afterEach(() => world.tags.close());

/** The reports to a watcher, as `path=value`. */
function watch(...patterns: string[]): { told: string[]; end: () => void } {
  const told: string[] = [];
  const end = world.tags.watch('line-1', patterns, ({ path, value, quality }: TagValue) =>
    told.push(`${path}=${quality === 'bad' ? 'bad' : String(value)}`),
  );
  return { told, end };
}

describe('a watcher', () => {
  test('receives the current values first, then every sample of the matching tags', () => {
    world.configure([fed('a/x'), fed('a/y'), fed('b/x')]);
    const { give } = world.device();
    give('a/x', 1);
    const { told } = watch('a/*');
    expect(told).toEqual(['a/x=1', 'a/y=bad']);
    give('a/y', 2);
    give('b/x', 3);
    give('a/x', 1);
    expect(told.slice(2)).toEqual(['a/y=2', 'a/x=1']);
  });

  test('receives a tag once even if several of its patterns match', () => {
    world.configure([fed('a/x')]);
    const { told } = watch('a/x', 'a/*', '**');
    world.device().give('a/x', 1);
    expect(told).toEqual(['a/x=bad', 'a/x=1']);
  });

  test('receives tags that are created later, once, with their first value', () => {
    const { told } = watch('a/*');
    expect(told).toEqual([]);
    world.configure([memory('a/x', {}, 7), fed('b/x')]);
    expect(told).toEqual(['a/x=7']);
    world.configure([memory('a/x', {}, 7), fed('b/x'), fed('a/y')]);
    expect(told).toEqual(['a/x=7', 'a/y=bad']);
    world.device().give('a/y', 1);
    expect(told.at(-1)).toBe('a/y=1');
  });

  test('keeps a tag whose definition changes, and is notified when that changes its value', () => {
    world.configure([fed('a')]);
    world.device().give('a', 1);
    const { told } = watch('a');
    world.configure([fed('a', { title: 'A' })]);
    expect(told).toEqual(['a=1']);
    world.configure([fed('a', { type: 'text' })]);
    expect(told).toEqual(['a=1', 'a=bad']);
    world.device().give('a', 'x');
    expect(told.at(-1)).toBe('a=x');
  });

  test('is notified at once of a lost source, once for each reason, and of a removed tag', () => {
    world.configure([fed('a')]);
    world.device().give('a', 1);
    const reasons: (string | null)[] = [];
    world.tags.watch('line-1', ['a'], ({ reason }) => reasons.push(reason));
    const { sink } = world.device();
    sink.lost(['a'], 'no answer');
    sink.lost(['a'], 'no answer');
    sink.lost(['a'], 'refused');
    world.configure([]);
    expect(reasons).toEqual([null, 'no answer', 'refused', 'the tag was removed']);
  });

  test('receives nothing after it ended', () => {
    world.configure([fed('a')]);
    const { told, end } = watch('a');
    end();
    end();
    world.device().give('a', 1);
    world.configure([fed('a'), fed('b')]);
    expect(told).toEqual(['a=bad']);
  });

  test('that ends itself in a report does not affect the others', () => {
    world.configure([fed('a')]);
    const ends: (() => void)[] = [];
    let count = 0;
    const stop = world.tags.watch('line-1', ['a'], () => {
      count += 1;
      for (const end of ends) end();
    });
    ends.push(stop);
    const { told } = watch('a');
    world.device().give('a', 1);
    world.device().give('a', 2);
    expect(told).toEqual(['a=bad', 'a=1', 'a=2']);
    expect(count).toBe(2);
  });

  test('that ends itself at the first of several new tags does not receive the others', () => {
    const told: string[] = [];
    const end = world.tags.watch('line-1', ['**'], ({ path }) => {
      told.push(path);
      end();
    });
    world.configure([fed('a'), fed('b')]);
    expect(told).toEqual(['a']);
  });

  test('that throws is logged once and does not affect the others', () => {
    world.configure([fed('a')]);
    world.tags.watch('line-1', ['a'], () => {
      throw new Error('a broken listener');
    });
    const { told } = watch('a');
    world.device().give('a', 1);
    world.device().give('a', 2);
    expect(told).toEqual(['a=bad', 'a=1', 'a=2']);
    expect(world.lines.filter((line) => line.includes('a broken listener'))).toHaveLength(1);
  });

  test('of another project receives nothing', () => {
    const told: TagValue[] = [];
    world.tags.watch('line-2', ['**'], (value) => told.push(value));
    world.configure([memory('a', {}, 1)]);
    expect(told).toEqual([]);
  });

  test('is refused when there are too many, until one ends', () => {
    const ends = Array.from({ length: WATCHERS_MAX }, () => watch('a').end);
    expect(() => watch('a')).toThrow('listeners wait for tags');
    ends[0]?.();
    expect(watch('a').told).toEqual([]);
  });
});

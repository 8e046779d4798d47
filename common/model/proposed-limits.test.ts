import { expect, test } from 'vitest';
import { LimitMatcher } from '../limits/limit-matcher.ts';
import { LIMIT_ENTRIES_MAX } from './key-limits.ts';
import { proposedLimits } from './proposed-limits.ts';

const used = (...things: string[]) => ({ things, more: false });

test('each list has the names that were used, an unused list allows nothing, and targets are always limited', () => {
  const { limits, open } = proposedLimits(['tag:read', 'tag:write', 'script:execute'], {
    'tag:read': used('line7/b', 'line7/a', 'line8/**'),
    'script:execute': used('script/recipe', 'channel/orders/new'),
    targets: used('mes.example:443'),
  });
  expect([limits, open]).toEqual([
    {
      'tag:read': ['line7/a', 'line7/b', 'line8/**'],
      'tag:write': [],
      'script:execute': ['channel/orders/new', 'script/recipe'],
      targets: ['mes.example:443'],
    },
    [],
  ]);
});

test('a list with more things than are known, or with a name that is no entry, stays open', () => {
  const { limits, open } = proposedLimits(['tag:read', 'file:read'], {
    'tag:read': { things: ['a'], more: true },
    'file:read': used('../a'),
  });
  expect([limits, open]).toEqual([{ targets: [] }, ['tag:read', 'file:read']]);
});

test('of too many names, the fullest folders are proposed as a whole, and nothing that was used is lost', () => {
  const names = Array.from({ length: 900 }, (_, n) => `line${n % 3}/unit${n % 150}/tag${n}`);
  const deep = ['line1/x', 'other/a'];
  const { limits } = proposedLimits(['tag:write'], { 'tag:write': used(...names, ...deep) });
  const entries = limits['tag:write'] ?? [];
  expect(entries.length).toBeLessThanOrEqual(LIMIT_ENTRIES_MAX);
  const matcher = new LimitMatcher(entries);
  expect([...names, ...deep].filter((name) => !matcher.covers(name))).toEqual([]);
  expect(matcher.covers('other/b')).toBe(false);
});

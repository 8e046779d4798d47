import { expect, test } from 'vitest';
import { foundIn, GROUPS, type Entry, type Group } from './entries.ts';

const NONE = Object.fromEntries(GROUPS.map((group) => [group, []])) as unknown as Record<Group, Entry[]>;
const entry = (label: string, more: Partial<Entry> = {}): Entry => ({ id: label, label, note: '', href: '/', ...more });

test('an empty query shows the pages and nothing else', () => {
  const found = foundIn({ ...NONE, pages: [entry('Routes')], tags: [entry('line1/speed')] }, '  ');
  expect(found).toEqual([{ group: 'pages', entries: [entry('Routes')], more: 0 }]);
});

test('each group shows its best six matches and counts the rest', () => {
  const tags = Array.from({ length: 10 }, (_, index) => entry(`line1/speed${index}`));
  const found = foundIn({ ...NONE, tags, keys: [entry('MES', { words: 'slc_abc' })] }, 'speed');
  expect(found.map(({ group, entries, more }) => [group, entries.length, more])).toEqual([['tags', 6, 4]]);
});

test('a key is found by its ID, in any case', () => {
  const keys = [entry('MES line 7', { words: 'slc_Ab12' }), entry('Display', { words: 'slc_Zz99' })];
  expect(foundIn({ ...NONE, keys }, 'SLC_ab')[0]?.entries.map(({ label }) => label)).toEqual(['MES line 7']);
});

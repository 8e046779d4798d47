import { expect, test } from 'vitest';
import { tagDefinition } from '#common/model/tag.ts';
import { importedTags, planImport, readTagFile } from './import-plan.ts';

const tag = (path: string, more: object = {}) =>
  tagDefinition.parse({ path, type: 'number', source: { provider: 'memory' }, ...more });
const present = [tag('a'), tag('b'), tag('c')];

test('a preview of a tag file shows the tags that it would create, change and leave', () => {
  const items = [tag('a'), tag('b', { unit: 'm' }), { path: 'd', type: 'number', source: { provider: 'memory' } }];
  const plan = planImport(present, items);
  expect(plan).toMatchObject({ made: ['d'], changed: ['b'], same: ['a'], others: ['c'] });
  const paths = (tags: unknown[]) => (tags as { path: string }[]).map(({ path }) => path);
  expect(paths(importedTags(present, plan, true))).toEqual(['a', 'b', 'd', 'c']);
  expect(paths(importedTags(present, plan, false))).toEqual(['a', 'b', 'd']);
});

test('a setting that the file leaves at its default is not a change', () => {
  expect(planImport(present, [{ path: 'a' }])).toMatchObject({ same: ['a'], changed: [] });
});

test('a file is a list of tags or an export; anything else is rejected', () => {
  expect(readTagFile('[{"path":"a"}]')).toMatchObject({ kind: 'tags', items: [{ path: 'a' }] });
  expect(readTagFile('{"items":[]}')).toEqual({ kind: 'tags', items: [] });
  expect(readTagFile('path;type')).toEqual({ kind: 'not-json' });
  for (const text of ['{}', '3', '[{"name":"a"}]', 'null']) expect(readTagFile(text)).toEqual({ kind: 'no-list' });
});

import { expect, test } from 'vitest';
import { idFrom } from './id-from.ts';
import { readProjectFile } from './read-project-file.ts';

test('a project file is read with the counts of its contents', () => {
  const file = { sluice: 'project', format: 1, project: { id: 'a', name: 'A' }, tags: [1, 2], leftOut: [{}] };
  expect(readProjectFile(JSON.stringify(file))).toEqual({
    kind: 'project',
    id: 'a',
    name: 'A',
    counts: { pipelines: 0, connections: 0, queries: 0, tags: 2, scripts: 0 },
    leftOut: 1,
    content: file,
  });
});

test('a pipeline file has one pipeline', () => {
  const file = { sluice: 'pipeline', format: 1, pipeline: { id: 'p', name: 'P' } };
  expect(readProjectFile(JSON.stringify(file))).toMatchObject({ kind: 'pipeline', id: 'p', counts: { pipelines: 1 } });
});

test.each(['', '{', '[]', '{"sluice":"backup"}', '{"sluice":"project"}', '{"sluice":"project","project":{"id":7}}'])(
  '%j is not a file of Sluice',
  (text) => {
    expect(readProjectFile(text)).toBeNull();
  },
);

test('an ID is derived from a name as most people would type it', () => {
  expect([idFrom('Filling line 2'), idFrom('  Abfüllung Süd! '), idFrom('…')]).toEqual([
    'filling-line-2',
    'abfullung-sud',
    '',
  ]);
});

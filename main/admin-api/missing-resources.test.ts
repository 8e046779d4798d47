import { beforeAll, expect, test } from 'vitest';
import { admin, harnessPerFile } from './use-harness.testing.ts';

const CHECK = '/projects/line-7/pipelines/watch/check';

harnessPerFile({ project: { id: 'line-7', name: 'Line 7' } });
beforeAll(async () => {
  const tag = { path: 'a/b', type: 'number', source: { provider: 'memory' }, writable: true };
  await admin.send('POST', '/projects/line-7/tags', tag);
  await admin.send('POST', '/projects/line-7/tags', { ...tag, path: 'a/fixed', writable: false });
  const simulated = { ...tag, path: 'a/sim', source: { provider: 'simulator', shape: 'sine' }, writable: false };
  await admin.send('POST', '/projects/line-7/tags', simulated);
  await admin.send('POST', '/projects/line-7/queries', { id: 'orders', sql: 'SELECT 1' });
  const params = [{ name: 'id' }, { name: 'limit', optional: true }];
  await admin.send('POST', '/projects/line-7/queries', { id: 'by-id', sql: 'SELECT :id, :limit', params });
  await admin.send('POST', '/projects/line-7/pipelines', { id: 'watch', name: 'Watch' });
});

async function warningsOf(kind: string, settings: object, off?: true): Promise<unknown[]> {
  const nodes = [{ id: 'one', kind, settings, ...(off === true ? { off } : {}) }];
  const { body } = await admin.send('POST', CHECK, { definition: { id: 'watch', name: 'Watch', nodes, wires: [] } });
  return body['warnings'] as unknown[];
}

test.each([
  ['tag-change', { tags: ['a/b', 'a/c'] }, 'tags', ['tag "a/c"']],
  ['tag-change', { tags: 'a/b, a/c, a/c' }, 'tags', ['tag "a/c"']],
  ['tag-read', { tags: ['x/1', 'x/2', 'x/3', 'x/4'] }, 'tags', ['tag "x/1"', 'tag "x/2"', 'tag "x/3"']],
  ['tag-write', { writes: [{ tag: 'a/b' }, { tag: 'a/c' }] }, 'writes', ['tag "a/c"']],
  ['history-read', { tags: ['a/c'] }, 'tags', ['tag "a/c"']],
  ['named-query', { query: 'gone' }, 'query', ['query "gone"']],
  ['sql', { connection: 'erp' }, 'connection', ['connection "erp"']],
  ['stored-procedure', { connection: 'erp' }, 'connection', ['connection "erp"']],
  ['transaction', { connection: 'erp' }, 'connection', ['connection "erp"']],
  ['script', { script: 'scale' }, 'script', ['script "scale"']],
])('%s %j: a missing resource is reported at the setting', async (kind, settings, setting, missing) => {
  const field = `settings.${setting}`;
  expect(await warningsOf(kind, settings)).toEqual(
    missing.map((what) => ({
      code: 'resource_missing',
      node: 'one',
      field,
      message: `there is no ${what} in this project`,
    })),
  );
});

test.each([
  [{}, ['param_missing "id"']],
  [{ id: '7' }, []],
  [{ id: '7', limit: '5' }, []],
  [{ limit: '5', other: 'x' }, ['param_missing "id"', 'param_unknown "other"']],
])('warns of values that do not fit their named query: %j', async (params, expected) => {
  const found = (await warningsOf('named-query', { query: 'by-id', params })) as Record<string, string>[];
  expect(found.map(({ code, message = '' }) => `${code} ${/"\w+"/.exec(message)?.[0]}`)).toEqual(expected);
});

test('warns of tags that cannot be written, at the node that writes them', async () => {
  const writes = ['a/b', 'a/fixed', 'a/sim', 'a/{{payload.body.tag}}'].map((tag) => ({ tag, value: 1 }));
  const found = await warningsOf('tag-write', { writes });
  expect(found).toMatchObject([
    { code: 'tag_read_only', node: 'one', field: 'settings.writes', params: { tag: 'a/fixed' } },
    { code: 'tag_read_only', params: { tag: 'a/sim' } },
  ]);
  expect(await warningsOf('tag-write', { writes }, true)).toEqual([]);
});

test.each([
  ['an existing resource', 'tag-change', { tags: ['a/b'] }],
  ['an existing resource in a list of ids', 'named-query', { query: 'orders' }],
  ['a pattern', 'tag-change', { tags: ['x/*', 'x/**'] }],
  ['a place that a message fills in', 'tag-read', { tags: ['x/{{payload.body.name}}'] }],
  ['the database that is always there', 'sql', { connection: 'embedded' }],
  ['a resource that is not chosen yet', 'named-query', { query: '' }],
  ['a field that is not a setting of this kind', 'script', { script: 7 }],
  ['a kind that names none', 'log', { tags: ['x'] }],
])('%s causes no warning', async (_what, kind, settings) => {
  expect(await warningsOf(kind, settings)).toEqual([]);
});

test('a disabled node misses nothing', async () => {
  expect(await warningsOf('named-query', { query: 'gone' }, true)).toEqual([]);
});

test('a saved revision reports the same', async () => {
  const nodes = [{ id: 'one', kind: 'named-query', settings: { query: 'gone' } }];
  await admin.send('PUT', '/projects/line-7/pipelines/watch', { id: 'watch', name: 'Watch', nodes, wires: [] });
  const { body } = await admin.send('POST', CHECK);
  expect(body['warnings']).toMatchObject([{ code: 'resource_missing', node: 'one' }]);
});

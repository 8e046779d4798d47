import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { SCOPES } from '#common/scopes.ts';
import { holdStarts } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest({ project: { id: 'line-7', name: 'Line 7' } });

const P = '/projects/line-7';
const sentLast = () => harness.gateway.resources.at(-1)?.resources;
const acts = () => harness.audit.rows.map(({ act }) => act);
const lastCall = () => harness.gateway.calls.at(-1);
const engineer = () => harness.personWith(admin, 'edit_pipelines', 'run_pipelines', 'view');
const memory = (path: string, more: object = {}) => ({ path, type: 'number', source: { provider: 'memory' }, ...more });

async function run(nodes: object[]): Promise<void> {
  await admin.send('POST', `${P}/pipelines`, { id: 'p', name: 'P', nodes });
  await admin.send('POST', `${P}/pipelines/p/start`);
}

describe('a project', () => {
  test('is sent to the gateway when it is created, and its folder is removed when it is deleted', async () => {
    // Resources of an earlier project with this id are removed from the gateway first.
    expect(harness.gateway.resources).toMatchObject([
      { project: 'line-7', resources: null },
      { project: 'line-7', resources: { tags: [] } },
    ]);
    const folder = join(harness.dataDir, 'projects/line-7');
    mkdirSync(join(folder, 'files'), { recursive: true });
    writeFileSync(join(folder, 'files/a.txt'), 'a');
    await admin.send('POST', `${P}/tags`, memory('a'));
    let thereAtAcknowledgement = false;
    const { change } = harness.gateway;
    harness.gateway.change = async (wanted) => {
      thereAtAcknowledgement = existsSync(folder);
      await change(wanted);
    };
    expect((await admin.send('DELETE', P)).status).toBe(204);
    expect([thereAtAcknowledgement, existsSync(folder), harness.projects.removals()]).toEqual([true, false, []]);
    await admin.send('POST', '/projects', { id: 'line-7', name: 'Anew' });
    expect(sentLast()).toMatchObject({ tags: [] });
  });

  test('with the ID of a deleted one does not get its data', async () => {
    const folder = join(harness.dataDir, 'projects/line-7');
    mkdirSync(folder, { recursive: true });
    const { change } = harness.gateway;
    harness.gateway.change = () => Promise.reject(new Error('the channel broke'));
    expect((await admin.send('DELETE', P)).status).toBe(204);
    expect([existsSync(folder), harness.projects.removals()]).toEqual([true, ['line-7']]);
    harness.gateway.change = change;
    expect((await admin.send('POST', '/projects', { id: 'line-7', name: 'Anew' })).status).toBe(201);
    expect([existsSync(folder), harness.projects.removals()]).toEqual([false, []]);
  });
});

describe('named queries', () => {
  const QUERIES = `${P}/queries`;
  const query = (more: object = {}) => ({
    id: 'orders',
    sql: 'SELECT * FROM orders WHERE line = :line',
    params: [{ name: 'line', type: 'integer' }],
    ...more,
  });

  test('are created, listed, read, changed and deleted, and the gateway has each change before the response', async () => {
    const made = await admin.send('POST', QUERIES, query());
    expect([made.status, made.body]).toMatchObject([201, { connection: 'embedded', rowsMax: 1000, timeout: 10 }]);
    expect(sentLast()?.queries).toEqual([made.body]);
    expect((await admin.send('GET', QUERIES)).body).toEqual({ items: [made.body], next: null });
    expect((await admin.send('PUT', `${QUERIES}/orders`, { ...made.body, rowsMax: 5 })).body['rowsMax']).toBe(5);
    expect(sentLast()?.queries).toMatchObject([{ rowsMax: 5 }]);
    expect((await admin.send('POST', QUERIES, query())).status).toBe(409);
    expect((await admin.send('PUT', `${QUERIES}/orders`, query({ id: 'x' }))).body['errors']).toMatchObject([
      { path: 'id' },
    ]);
    expect((await admin.send('DELETE', `${QUERIES}/orders`)).status).toBe(204);
    expect((await admin.send('DELETE', `${QUERIES}/orders`)).status).toBe(404);
    expect(sentLast()?.queries).toEqual([]);
    expect(acts()).toContain('query.change');
  });

  test.each([
    ['a connection that does not exist', { connection: 'mes' }, 'connection'],
    ['a connection that is not a database', { connection: 'plc' }, 'connection'],
    ['a parameter of an unknown type', { params: [{ name: 'x', type: 'blob' }] }, 'params.0.type'],
    ['no SQL', { sql: '' }, 'sql'],
  ])('with %s are refused, also when a draft is tested', async (_what, more, path) => {
    await admin.send('POST', `${P}/connections`, { id: 'plc', settings: { kind: 'modbus', host: 'plc' } });
    expect((await admin.send('POST', QUERIES, query(more))).body['errors']).toMatchObject([{ path }]);
    const draft = await admin.send('POST', `${QUERIES}/test`, { query: query(more) });
    expect(draft.body['errors']).toMatchObject([{ path: `query.${path}` }]);
  });

  test('are tested as saved or as a draft, with parameters, and journaled as a test', async () => {
    await admin.send('POST', QUERIES, query());
    expect((await admin.send('POST', `${QUERIES}/orders/test`, { params: { line: 7 } })).body).toEqual({
      rows: [],
      rowCount: 0,
      truncated: false,
    });
    expect(lastCall()).toMatchObject({ call: 'query-test', args: { query: { id: 'orders' }, params: { line: 7 } } });
    await admin.send('POST', `${QUERIES}/test`, { query: query({ sql: 'SELECT 2' }) });
    expect(lastCall()).toMatchObject({ args: { query: { sql: 'SELECT 2' }, params: {} } });
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'query.test', type: 'test', target: 'orders', status: 200 });
    const bad = await admin.send('POST', `${QUERIES}/orders/test`, { params: { 'a b': 1 } });
    expect(bad.status).toBe(400);
  });

  test('are not deleted while a pipeline that names them is being started', async () => {
    await admin.send('POST', QUERIES, query());
    const start = holdStarts(harness);
    const started = run([{ id: 'n', kind: 'named-query', settings: { query: 'orders' } }]);
    await start.asked;
    const refused = await admin.send('DELETE', `${QUERIES}/orders`);
    start.release();
    await started;
    expect(refused.body).toMatchObject({
      status: 409,
      detail: expect.stringContaining('node "n" of the running pipeline "p"'),
    });
    await admin.send('POST', `${P}/pipelines/p/stop`);
    expect((await admin.send('DELETE', `${QUERIES}/orders`)).status).toBe(204);
  });

  test('are not deleted while a running pipeline names them', async () => {
    await admin.send('POST', QUERIES, query());
    await run([{ id: 'n', kind: 'named-query', settings: { query: 'orders' } }]);
    expect((await admin.send('DELETE', `${QUERIES}/orders`)).body).toMatchObject({
      status: 409,
      detail: 'The query "orders" is used by node "n" of the running pipeline "p"; change that first.',
    });
  });
});

describe('library scripts', () => {
  const SCRIPTS = `${P}/scripts`;
  const script = { id: 'total', code: 'export default (args) => args.a' };

  test('are created, read, changed and deleted, large ones too', async () => {
    expect((await admin.send('POST', SCRIPTS, script)).body).toMatchObject({ id: 'total', deadline: 1 });
    const code = `export default () => '${'"'.repeat(262_100)}'`;
    expect((await admin.send('PUT', `${SCRIPTS}/total`, { ...script, code })).status).toBe(200);
    expect(sentLast()?.scripts[0]?.code).toBe(code);
    await run([{ id: 'n', kind: 'script', settings: { script: 'total' } }]);
    expect((await admin.send('DELETE', `${SCRIPTS}/total`)).status).toBe(409);
    await admin.send('POST', `${P}/pipelines/p/stop`);
    expect((await admin.send('DELETE', `${SCRIPTS}/total`)).status).toBe(204);
  });

  test.each(SCOPES)(
    'are tested with %s only by users who may access settings, and without scopes by an Engineer',
    async (scope) => {
      await admin.send('POST', SCRIPTS, script);
      const person = await engineer();
      const calls = harness.gateway.calls.length;
      const refused = await person.send('POST', `${SCRIPTS}/total/test`, { args: 1, scopes: [scope] });
      expect([refused.body['code'], harness.gateway.calls.length]).toEqual(['permission_missing', calls]);
      expect((await person.send('POST', `${SCRIPTS}/total/test`, {})).body).toEqual({ value: null, lines: [] });
      expect(lastCall()).toMatchObject({ call: 'script-test', args: { args: null, scopes: [] } });
      expect((await admin.send('POST', `${SCRIPTS}/total/test`, { args: [1], scopes: [scope] })).status).toBe(200);
      expect(lastCall()).toMatchObject({ args: { args: [1], scopes: [scope], script: { id: 'total' } } });
    },
  );
});

describe('tags', () => {
  const TAGS = `${P}/tags`;
  const at = (path: string): string => `${TAGS}/${encodeURIComponent(path)}`;

  test('are created, read, changed and deleted by a path with slashes', async () => {
    const made = await admin.send('POST', TAGS, memory('line7/filler/speed', { unit: 'l/min', writable: true }));
    expect(made.body).toMatchObject({ path: 'line7/filler/speed', history: null, source: { initial: null } });
    expect((await admin.send('GET', at('line7/filler/speed'))).body).toEqual(made.body);
    expect((await admin.send('PUT', at('line7/filler/speed'), { ...made.body, unit: 'l/h' })).body['unit']).toBe('l/h');
    expect(sentLast()?.tags).toMatchObject([{ unit: 'l/h' }]);
    expect((await admin.send('PUT', at('line7/filler/speed'), memory('other'))).body['errors']).toMatchObject([
      { path: 'path' },
    ]);
    expect((await admin.send('POST', TAGS, memory('line7/filler/speed'))).status).toBe(409);
    expect((await admin.send('GET', at('line7/filler'))).status).toBe(404);
    expect((await admin.send('DELETE', at('line7/filler/speed'))).status).toBe(204);
    expect(sentLast()?.tags).toEqual([]);
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'tag.delete', target: 'line7/filler/speed', status: 200 });
  });

  test('are listed by path, by prefix and page by page', async () => {
    const items = ['b', 'a/1', 'a/2', 'a/3', 'ab', 'B'].map((path) => memory(path));
    await admin.send('PUT', TAGS, { items });
    const paths = async (query: string): Promise<unknown[]> => {
      const { body } = await admin.send('GET', `${TAGS}${query}`);
      return [...(body['items'] as { path: string }[]).map(({ path }) => path), body['next']];
    };
    expect(await paths('')).toEqual(['B', 'a/1', 'a/2', 'a/3', 'ab', 'b', null]);
    expect(await paths('?prefix=a/')).toEqual(['a/1', 'a/2', 'a/3', null]);
    expect(await paths('?prefix=a/&limit=2')).toEqual(['a/1', 'a/2', 'a/2']);
    expect(await paths('?prefix=a/&limit=2&cursor=a/2')).toEqual(['a/3', null]);
    expect(await paths('?prefix=%25')).toEqual([null]);
    for (const bad of ['?limit=0', '?limit=x', '?limit=10001', '?cursor=a//b', '?prefix=a&prefix=b'])
      expect((await admin.send('GET', `${TAGS}${bad}`)).status).toBe(400);
  });

  test('are replaced all at once, ten thousand of them, or not at all', async () => {
    const items = Array.from({ length: 10_000 }, (_, index) => memory(`line/${index}/value`));
    const sent = harness.gateway.resources.length;
    expect((await admin.send('PUT', TAGS, { items })).body).toEqual({ count: 10_000, removed: 0 });
    expect([harness.gateway.resources.length, sentLast()?.tags.length]).toEqual([sent + 1, 10_000]);
    expect((await admin.send('POST', TAGS, memory('one/more'))).body).toMatchObject({ code: 'conflict' });
    expect((await admin.send('PUT', TAGS, { items: [...items, memory('x')] })).status).toBe(400);
    for (const [wrong, path] of [
      [memory('a b'), 'items.1.path'],
      [memory('a'), 'items.1.path'],
      [memory('b', { source: { provider: 'opcua', connection: 'none', nodeId: 'i=1' } }), 'items.1.source.connection'],
    ] as const)
      expect((await admin.send('PUT', TAGS, { items: [memory('a'), wrong] })).body['errors']).toMatchObject([{ path }]);
    expect(sentLast()?.tags.length).toBe(10_000);
    expect((await admin.send('PUT', TAGS, { items: [memory('a')] })).body).toEqual({ count: 1, removed: 10_000 });
  });

  test('stay unchanged when the gateway refuses them', async () => {
    await admin.send('PUT', TAGS, { items: [memory('a'), memory('b')] });
    harness.gateway.refusal = new SluiceError('conflict', 'no');
    expect((await admin.send('PUT', TAGS, { items: [memory('c')] })).status).toBe(409);
    expect((await admin.send('DELETE', at('a'))).status).toBe(409);
    expect((await admin.send('PUT', at('a'), memory('a', { unit: 'm' }))).status).toBe(409);
    harness.gateway.refusal = null;
    expect(harness.deps.resources.of('line-7').tags).toMatchObject([{ path: 'a', unit: '' }, { path: 'b' }]);
  });

  test.each([
    ['tag-read', { tags: ['a/b', 'c/*'] }],
    ['tag-read', { tags: 'x, a/b' }],
    ['tag-change', { tags: ['a/b'] }],
    ['history-read', { tags: ['a/b'] }],
    ['tag-write', { writes: [{ tag: 'a/b', value: 1 }] }],
  ])(
    'are neither deleted nor left out of a bulk replacement while a running %s names them: %j',
    async (kind, settings) => {
      await admin.send('PUT', TAGS, { items: [memory('a/b'), memory('c/d')] });
      await run([{ id: 'n', kind, settings }]);
      expect((await admin.send('DELETE', at('a/b'))).body['detail']).toContain('node "n" of the running pipeline "p"');
      expect((await admin.send('PUT', TAGS, { items: [memory('c/d')] })).status).toBe(409);
      expect((await admin.send('PUT', TAGS, { items: [memory('a/b')] })).status).toBe(200);
    },
  );

  test('have live values that viewers can read and editors can write, and a write is in the journal', async () => {
    const value = { path: 'a', value: 1, quality: 'good', reason: null, time: null, unit: '' };
    harness.gateway.capabilities['tags.readMany'] = [value];
    const viewer = await harness.personWith(admin, 'view');
    expect((await viewer.send('POST', `${TAGS}/read`, { paths: ['*'] })).body).toEqual({ items: [value], next: null });
    expect(lastCall()).toMatchObject({ call: 'capability', args: { project: 'line-7', name: 'tags.readMany' } });
    expect((await viewer.send('POST', `${TAGS}/write`, { writes: [{ path: 'a', value: 1 }] })).status).toBe(403);
    const writes = [
      { path: 'a/b', value: 80 },
      { path: 'c', value: 'on' },
    ];
    expect((await (await engineer()).send('POST', `${TAGS}/write`, { writes })).status).toBe(204);
    expect(lastCall()).toMatchObject({ args: { name: 'tags.writeMany', args: { writes } } });
    expect(harness.audit.rows.at(-1)).toMatchObject({
      act: 'tag.write',
      target: 'a/b',
      detail: 'a/b = 80; c = "on"',
      status: 200,
    });
    expect((await admin.send('POST', `${TAGS}/read`, { paths: [] })).body['errors']).toMatchObject([{ path: 'paths' }]);
  });
});

describe('variables', () => {
  const VARIABLES = `${P}/variables`;
  const entry = { name: 'shift/current', value: { n: 1 }, updatedAt: '2026-03-01T06:00:00.000Z' };

  test('are listed, read, set and removed in the gateway', async () => {
    harness.gateway.capabilities['vars.list'] = [entry];
    harness.gateway.capabilities['vars.remove'] = true;
    expect((await admin.send('GET', `${VARIABLES}?prefix=shift`)).body).toEqual({ items: [entry], next: null });
    expect(lastCall()).toMatchObject({ args: { name: 'vars.list', args: { prefix: 'shift' } } });
    expect((await admin.send('GET', `${VARIABLES}/shift%2Fcurrent`)).body).toEqual(entry);
    expect((await admin.send('GET', `${VARIABLES}/shift%2Fnext`)).status).toBe(404);
    expect((await admin.send('PUT', `${VARIABLES}/shift%2Fcurrent`, { value: { n: 1 } })).body).toEqual(entry);
    expect(harness.gateway.calls.at(-2)).toMatchObject({
      args: { name: 'vars.set', args: { name: 'shift/current', value: { n: 1 } } },
    });
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'variable.set', target: 'shift/current', status: 200 });
    expect((await admin.send('DELETE', `${VARIABLES}/shift%2Fcurrent`)).status).toBe(204);
    harness.gateway.capabilities['vars.remove'] = false;
    expect((await admin.send('DELETE', `${VARIABLES}/shift%2Fcurrent`)).status).toBe(404);
  });

  test('with an invalid name, or without a value, are refused before the gateway is asked', async () => {
    const calls = harness.gateway.calls.length;
    for (const name of ['a b', 'a%2F%2Fb', 'a%2F', 'x'.repeat(65)])
      expect((await admin.send('PUT', `${VARIABLES}/${name}`, { value: 1 })).body['errors']).toMatchObject([
        { path: 'variable' },
      ]);
    expect((await admin.send('PUT', `${VARIABLES}/a`, {})).body['errors']).toMatchObject([{ path: 'value' }]);
    expect(harness.gateway.calls).toHaveLength(calls);
  });
});

describe('files', () => {
  const FILES = `${P}/files`;

  test('are listed, read, written and removed in the gateway; bytes travel as base64', async () => {
    const listed = { name: 'a.txt', folder: false, bytes: 3, modifiedAt: '2026-03-01T06:00:00.000Z' };
    Object.assign(harness.gateway.capabilities, {
      'files.list': [listed],
      'files.read': { base64: 'AAE=' },
      'files.write': { bytes: 2 },
      'files.remove': true,
    });
    expect((await admin.send('GET', `${FILES}?folder=reports`)).body).toEqual({ items: [listed], next: null });
    expect(lastCall()).toMatchObject({ args: { name: 'files.list', args: { folder: 'reports' } } });
    expect((await admin.send('GET', `${FILES}/reports%2Fa.bin?format=bytes`)).body).toEqual({
      path: 'reports/a.bin',
      format: 'bytes',
      content: { base64: 'AAE=' },
    });
    const put = await admin.send('PUT', `${FILES}/reports%2Fa.bin`, { content: { base64: 'AAE=' }, format: 'bytes' });
    expect(put.body).toEqual({ bytes: 2 });
    expect(lastCall()).toMatchObject({
      args: { name: 'files.write', args: { path: 'reports/a.bin', format: 'bytes' } },
    });
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'file.write', target: 'reports/a.bin', detail: '2 bytes' });
    expect((await admin.send('DELETE', `${FILES}/reports%2Fa.bin`)).status).toBe(204);
    harness.gateway.capabilities['files.remove'] = false;
    expect((await admin.send('DELETE', `${FILES}/reports%2Fa.bin`)).status).toBe(404);
  });

  test('may have a body of 24 MiB, which no other call accepts', async () => {
    harness.gateway.capabilities['files.write'] = { bytes: 1 };
    const content = 'x'.repeat(20 * 1024 * 1024);
    expect((await admin.send('PUT', `${FILES}/big.txt`, { content })).status).toBe(200);
    expect((await admin.send('PUT', `${FILES}/big.txt`, { content: content + content })).status).toBe(413);
    expect((await admin.send('PUT', `${P}/variables/big`, { value: content })).status).toBe(413);
  });

  test('are not written from invalid base64, or without content', async () => {
    const bad = await admin.send('PUT', `${FILES}/a.bin`, { content: { base64: '*' }, format: 'bytes' });
    expect(bad.body['errors']).toMatchObject([{ path: 'content.base64' }]);
    expect((await admin.send('PUT', `${FILES}/a.bin`, {})).body['errors']).toMatchObject([{ path: 'content' }]);
    expect((await admin.send('GET', `${FILES}/a.bin?format=xml`)).body['errors']).toMatchObject([{ path: 'format' }]);
  });

  test('errors of the gateway are passed on', async () => {
    harness.gateway.refusal = new SluiceError('conflict', 'the path leaves the workspace');
    for (const path of ['..%2Fx', '%2Fetc%2Fpasswd'])
      expect((await admin.send('GET', `${FILES}/${path}`)).body).toMatchObject({
        code: 'conflict',
        detail: 'the path leaves the workspace',
      });
  });
});

test('changes of one project are applied one after the other, each with all saved resources', async () => {
  const { change } = harness.gateway;
  const { promise, resolve } = Promise.withResolvers<void>();
  let underWay = 0;
  let most = 0;
  harness.gateway.change = async (wanted) => {
    most = Math.max(most, ++underWay);
    await promise;
    await change(wanted);
    underWay--;
  };
  const making = Promise.all(['a', 'b', 'c', 'd'].map((path) => admin.send('POST', `${P}/tags`, memory(path))));
  // Calls that came after them are answered: by now they would all be there.
  for (let count = 0; count < 5; count++) await admin.send('GET', '/status');
  resolve();
  expect((await making).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(most).toBe(1);
  const counts = harness.gateway.resources.slice(-4).map(({ resources }) => resources?.tags.length);
  expect(counts).toEqual([1, 2, 3, 4]);
});

test('the editor gets the declarations of the calls that a script can make', async () => {
  const { status, headers, body } = await (await harness.personWith(admin, 'view')).send('GET', '/completions');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body['text']).toMatch(/readMany/);
});

import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeyLimits } from '#common/model/key-limits.ts';
import type { RunRecord } from '#common/model/records.ts';
import { SCOPES } from '#common/scopes.ts';
import { type MiddleNode, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';
import { startService, type TestService } from '#test/service.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { smallPlugin } from './plugin-package.ts';

/**
 * No limit has a gap (docs/spec/keys.md#limits): every kind of thing × every way to reach it × everything that limits a
 * run: a key, a key on behalf of the pipeline, the grants of the pipeline, a trigger, a message. For each combination
 * the thing inside of the limit is reached and the one outside is refused with `limit_missing`.
 */
const P = '/projects/line-1';
const dir = dirPerFile();

/** A call that reaches a thing inside of `LIMITS`, and one that reaches one outside. */
const KINDS: Record<string, (place: 'inside' | 'outside') => string> = {
  'tags.read': (place) => `tags.read('${place}/a')`,
  'tags.readMany': (place) => `tags.readMany(['inside/a', '${place}/*'])`,
  'tags.write': (place) => `tags.write('${place}/a', 1)`,
  'tags.writeMany': (place) => `tags.writeMany([{ path: 'inside/a', value: 1 }, { path: '${place}/a', value: 1 }])`,
  'historian.query': (place) => `historian.query({ tags: ['${place}/*'], from: 'now-1h' })`,
  'vars.get': (place) => `vars.get('${place}/a')`,
  'vars.list': (place) => `vars.list('${place}/')`,
  'vars.set': (place) => `vars.set('${place}/a', 1)`,
  'vars.increment': (place) => `vars.increment('${place}/n')`,
  'vars.compareAndSet': (place) => `vars.compareAndSet('${place}/a', 1, 1)`,
  'vars.remove': (place) => `vars.remove('${place}/b')`,
  'files.read': (place) => `files.read('${place}/a.txt', 'text')`,
  'files.list': (place) => `files.list('${place}')`,
  'files.write': (place) => `files.write('${place}/b.txt', 'b', 'text')`,
  'files.remove': (place) => `files.remove('${place}/b.txt')`,
  'db.query': (place) => `db.query('${place}')`,
  'db.sql': (place) => `db.sql('embedded', 'INSERT INTO ${place} (n) VALUES (1)')`,
  'db.transaction': (place) =>
    `db.transaction('embedded', [{ sql: 'DELETE FROM inside WHERE n = 2' }, { sql: 'DELETE FROM ${place}' }])`,
  'any SQL': (place) =>
    `db.sql('embedded', '${place === 'inside' ? 'UPDATE inside SET n = 1' : 'UPDATE inside SET n = abs(1)'}')`,
  'db.procedure': (place) => `db.procedure('embedded', '${place}')`,
  'scripts.run': (place) => `scripts.run('${place}')`,
  'messages.send': (place) => `messages.send('${place}', 1)`,
};
const PLUGIN_KINDS: typeof KINDS = {
  'http.request': (place) => `http.request('http://${targets[place]}/', 'POST')`,
};
const LIMITS = (): KeyLimits => ({
  'tag:read': ['inside/**'],
  'tag:write': ['inside/*'],
  'hist:read': ['inside/*'],
  'db:read': ['inside'],
  'db:write': ['embedded/table/inside', 'embedded/procedure/inside'],
  'vars:read': ['inside/**'],
  'vars:write': ['inside/*'],
  'file:read': ['inside/*'],
  'file:write': ['inside/*'],
  'script:execute': ['script/matrix', 'script/inside', 'channel/inside', 'channel/go/*'],
  targets: [targets.inside],
});

/** Each call with its code: `ok`, or that of its error. */
function attempts(kinds: typeof KINDS): string {
  const lines = Object.entries(kinds).flatMap(([kind, call]) =>
    (['inside', 'outside'] as const).map((place) => `'${kind} ${place}': () => ${call(place)},`),
  );
  return `const calls = { ${lines.join('\n')} }; const found = {};
    for (const name of Object.keys(calls)) {
      try { await calls[name](); found[name] = 'ok'; } catch (error) { found[name] = error.code ?? String(error); }
    }`;
}

const WAYS = (): Record<string, MiddleNode> => ({
  script: {
    kind: 'transform',
    settings: {
      scopes: [...SCOPES],
      code: `export default async () => { ${attempts(KINDS)} return { body: found }; }`,
    },
  },
  'library-script': { kind: 'script', settings: { script: 'matrix', args: {}, into: 'payload.body' } },
  plugin: { kind: 'matrix' },
});

/** Native nodes that reach a thing outside. */
const NODES = (): Record<string, MiddleNode> => ({
  'tag-read': { kind: 'tag-read', settings: { tags: ['outside/a'], into: 'payload.body' } },
  'tag-write': { kind: 'tag-write', settings: { writes: [{ tag: 'outside/a', value: 1 }] } },
  'history-read': { kind: 'history-read', settings: { tags: ['outside/a'], from: 'now-1h', into: 'payload.body' } },
  'named-query': { kind: 'named-query', settings: { query: 'outside' } },
  sql: { kind: 'sql', settings: { connection: 'embedded', sql: 'DELETE FROM outside' } },
  transaction: {
    kind: 'transaction',
    settings: { connection: 'embedded', statements: [{ sql: 'DELETE FROM outside' }] },
  },
  'stored-procedure': { kind: 'stored-procedure', settings: { connection: 'embedded', procedure: 'outside' } },
  'variable-read': { kind: 'variable-read', settings: { name: 'outside/a', into: 'payload.body' } },
  'variable-write': { kind: 'variable-write', settings: { name: 'outside/a', value: 7 } },
  'file-read': { kind: 'file-read', settings: { path: 'outside/a.txt', format: 'text', into: 'payload.body' } },
  'file-write': { kind: 'file-write', settings: { path: 'outside/a.txt', format: 'text', value: 'x' } },
  script: { kind: 'script', settings: { script: 'outside', args: {} } },
  'message-out': { kind: 'message-out', settings: { channel: 'outside' } },
  call: egress(false),
  'stored-call': egress(true),
});
function egress(storeAndForward: boolean): MiddleNode {
  const settings = {
    mode: 'egress',
    url: `http://${targets.outside}/`,
    method: 'POST',
    staticHeaders: {},
    timeout: 5,
    storeAndForward,
  };
  return { kind: 'rest-api', port: 'response', settings };
}

/** The owner of the limits, for runs of requests. */
const REQUESTS = {
  key: { key: 'limited', runAs: 'caller', limited: false, authType: 'api_key' },
  'key on behalf': { key: 'limited', runAs: 'pipeline', limited: false, authType: 'api_key' },
  'pipeline on behalf': { key: 'free', runAs: 'pipeline', limited: true, authType: 'api_key' },
  'public route': { key: 'free', runAs: 'caller', limited: true, authType: 'none' },
} as const;
type RequestName = keyof typeof REQUESTS;
const REQUEST_NAMES = Object.keys(REQUESTS) as RequestName[];
const idOf = (...parts: string[]): string => parts.join('-').replaceAll(/[^a-z-]+/g, '-');

const hits = { inside: 0, outside: 0 };
const targets = { inside: '', outside: '' };
const servers: Server[] = [];
let service: TestService;
const keys: Record<string, string> = {};

beforeAll(async () => {
  for (const place of ['inside', 'outside'] as const) {
    const server = createServer((request, response) => {
      hits[place] += 1;
      request.resume();
      response.end('ok');
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    targets[place] = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }
  service = await startService();
  await service.setUp();
  const { admin } = service;
  await admin.ok('PATCH', '/settings', { allowedInternalTargets: Object.values(targets) });
  await admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  await addThings();
  for (const [name, limits] of [
    ['free', {}],
    ['limited', LIMITS()],
  ] as const)
    keys[name] = (await admin.ok<{ key: string }>('POST', `${P}/keys`, { name, scopes: SCOPES, limits })).key;
  for (const name of REQUEST_NAMES)
    for (const [way, middle] of Object.entries({ ...WAYS(), ...prefixed(NODES()) }))
      await admin.run('line-1', requestPipeline(name, way, middle));
}, 240_000);
afterAll(async () => {
  await service?.stop();
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

const prefixed = (nodes: Record<string, MiddleNode>): Record<string, MiddleNode> =>
  Object.fromEntries(Object.entries(nodes).map(([name, node]) => [`node-${name}`, node]));

async function addThings(): Promise<void> {
  const { admin } = service;
  const source = { provider: 'memory', initial: 0 };
  const history = { deadband: 0, maxInterval: 60 };
  const tag = (path: string) => ({ path, type: 'number', writable: true, source, history });
  await admin.ok('PUT', `${P}/tags`, { items: [tag('inside/a'), tag('outside/a')] });
  for (const id of ['inside', 'outside']) {
    await admin.ok('POST', `${P}/queries`, { id, connection: 'embedded', sql: `SELECT * FROM ${id}` });
    await admin.ok('POST', `${P}/scripts`, { id, code: 'export default () => 1' });
    await admin.run('line-1', chain(idOf('hear', id), { kind: 'message-in', settings: { channel: id } }, [], {}));
  }
  const code = `export default async () => { ${attempts(KINDS)} return found; }`;
  await admin.ok('POST', `${P}/scripts`, { id: 'matrix', code });
  const kind = { id: 'matrix', title: 'Matrix', summary: 'Tries all.', scopes: SCOPES };
  const archive = await smallPlugin(dir.path, {
    id: 'matrix',
    code: `export default { matrix: async () => {
      ${attempts({ ...KINDS, ...PLUGIN_KINDS })} return { payload: { body: found } }; } };`,
    kinds: [kind],
    capabilities: [...SCOPES],
    targets: Object.values(targets),
  });
  const { digest } = await admin.ok<{ digest: string }>('POST', '/plugins', { archive });
  await admin.ok('POST', '/plugins/matrix/approve', { digest });
  const setUp = `export default async () => {
    for (const place of ['inside', 'outside']) {
      await db.sql('embedded', 'CREATE TABLE ' + place + ' (n)');
      await files.write(place + '/a.txt', 'a', 'text');
      await vars.set(place + '/a', 1);
    }
    return { body: 'ok' }; }`;
  const middle = [{ kind: 'transform', settings: { scopes: [...SCOPES], code: setUp } }];
  const route = { authType: 'none' };
  await admin.run('line-1', {
    ...routePipeline({ id: 'set-up', path: '/set-up', method: 'POST', route, middle, grants: [...SCOPES] }),
    id: 'set-up',
  });
  await fetch(`${service.ready.gateway}/set-up`, { method: 'POST' });
}

function requestPipeline(name: RequestName, way: string, middle: MiddleNode): PipelineInput & { id: string } {
  const { runAs, limited, authType } = REQUESTS[name];
  const id = idOf(name, way);
  const pipeline = routePipeline({ path: `/${id}`, method: 'POST', route: { authType }, middle: [middle], runAs });
  const isOwn = runAs === 'pipeline' || authType === 'none';
  return { ...pipeline, id, grants: isOwn ? [...SCOPES] : [], ...(limited && { limits: LIMITS() }) };
}

function chain(
  id: string,
  start: MiddleNode,
  inner: MiddleNode[],
  more: Partial<PipelineInput>,
): PipelineInput & { id: string } {
  const all = [start, ...inner].map((node, index) => ({
    id: `n${index}`,
    kind: node.kind,
    settings: node.settings ?? {},
  }));
  const wires = all.slice(1).map(({ id: to }, index) => ({ from: `n${index}`, port: 'out', to }));
  return { id, name: id, nodes: all, wires, grants: [...SCOPES], ...more };
}

async function ask(path: string, key: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { 'X-API-Key': keys[key] ?? '', 'Content-Type': 'application/json' };
  const response = await fetch(`${service.ready.gateway}/${path}`, { method: 'POST', headers, body: '{}' });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : { text } };
}

let combinations = 0;
/** The attempts that did not end as they must: a leak, or a thing inside that was refused. */
function wrong(found: unknown, way: string): string[] {
  const kinds = way === 'plugin' ? { ...KINDS, ...PLUGIN_KINDS } : KINDS;
  const codes = (typeof found === 'object' && found !== null ? found : {}) as Record<string, string>;
  return Object.keys(kinds).flatMap((kind) => {
    combinations += 1;
    const [inside, outside] = [codes[`${kind} inside`], codes[`${kind} outside`]];
    // The embedded database has no procedures.
    const isReached =
      inside === 'ok' || (kind === 'db.procedure' && inside !== undefined && inside !== 'limit_missing');
    return [
      ...(isReached ? [] : [`${kind} inside: ${inside}`]),
      ...(outside === 'limit_missing' ? [] : [`${kind} outside: ${outside}`]),
    ];
  });
}

const WAY_NAMES = ['script', 'library-script', 'plugin'];
const NODE_NAMES = [
  'tag-read',
  'tag-write',
  'history-read',
  'named-query',
  'sql',
  'transaction',
  'stored-procedure',
  'variable-read',
  'variable-write',
  'file-read',
  'file-write',
  'script',
  'message-out',
  'call',
  'stored-call',
];

describe.each(REQUEST_NAMES)('a run limited by: %s', (name) => {
  test.each(WAY_NAMES)('by a %s', async (way) => {
    const { status, body } = await ask(idOf(name, way), REQUESTS[name].key);
    expect([status, wrong(body, way)]).toEqual([200, []]);
  });

  test.each(NODE_NAMES)('by the node %s', async (node) => {
    combinations += 1;
    const { status, body } = await ask(idOf(name, `node-${node}`), REQUESTS[name].key);
    expect([status, body['code']]).toEqual([403, 'limit_missing']);
    // The limits of a pipeline are configuration, which its callers do not learn.
    expect('limit' in body).toBe(!REQUESTS[name].limited);
  });
});

const found = (run: RunRecord): unknown => {
  const output = run.steps.at(-1)?.output as { payload?: Record<string, unknown> } | null;
  return output?.payload?.['body'];
};
const firstRun = (id: string) => async (): Promise<RunRecord | null> =>
  (await service.admin.ok<{ items: RunRecord[] }>('GET', `${P}/pipelines/${id}/runs`)).items[0] ?? null;

describe.each(WAY_NAMES)('runs without a request, by a %s', (way) => {
  test('of a timer have the limits of the pipeline', async () => {
    const id = idOf('timer', way);
    const timer = { kind: 'timer', settings: { every: 0.5 } };
    await service.admin.run('line-1', chain(id, timer, [WAYS()[way] as MiddleNode], { limits: LIMITS() }));
    const run = await until('a run of the timer', firstRun(id));
    await service.admin.ok('POST', `${P}/pipelines/${id}/stop`);
    expect([run.error, wrong(found(run), way)]).toEqual([null, []]);
  });

  test.each([
    { by: 'sender', key: 'limited', limits: {} },
    { by: 'receiver', key: 'free', limits: 'own' },
  ])('of a message have the limits of the $by', async ({ by, key, limits }) => {
    const [id, channel] = [idOf('receive', way, by), `go/${idOf(way, by)}`];
    const start = { kind: 'message-in', settings: { channel } };
    const own = limits === 'own' ? { limits: LIMITS() } : {};
    await service.admin.run('line-1', chain(id, start, [WAYS()[way] as MiddleNode], own));
    const send = { kind: 'message-out', settings: { channel } };
    const path = idOf('send', way, by);
    await service.admin.run('line-1', {
      ...routePipeline({ id: path, path: `/${path}`, method: 'POST', middle: [send], reply: { body: 'ok' } }),
      id: path,
    });
    expect((await ask(path, key)).status).toBe(200);
    const run = await until('a run of the receiver', firstRun(id));
    expect([run.error, wrong(found(run), way)]).toEqual([null, []]);
  });

  test('of a test have the limits of the pipeline, or those of the key', async () => {
    const path = (name: RequestName) => `${P}/pipelines/${idOf(name, way)}/test`;
    const { admin } = service;
    const own = await admin.ok<RunRecord>('POST', path('public route'), { message: {}, rights: 'pipeline' });
    const { items } = await admin.ok<{ items: { id: string; name: string }[] }>('GET', `${P}/keys`);
    const keyId = items.find((one) => one.name === 'limited')?.id;
    const ofKey = await admin.ok<RunRecord>('POST', path('key'), { message: {}, keyId });
    const bodies = [own, ofKey].map((run) => run.steps.find(({ node }) => node === 'n0')?.output as never);
    for (const output of bodies)
      expect(wrong((output as { payload: { body: unknown } }).payload.body, way)).toEqual([]);
  });
});

test('a trigger that listens to tags outside of the limits does not start', async () => {
  const start = { kind: 'tag-change', settings: { tags: ['outside/a'] } };
  const limited = chain('limited-trigger', start, [], { limits: { 'tag:read': ['inside/*'] } });
  await service.admin.ok('POST', `${P}/pipelines`, limited);
  await service.admin.request('POST', `${P}/pipelines/limited-trigger/start`, {});
  const record = await service.admin.ok<{ triggerFaults: { code: string }[] }>('GET', `${P}/pipelines/limited-trigger`);
  expect(record.triggerFaults).toMatchObject([{ code: 'limit_missing' }]);
});

test('at least 300 combinations were tried, and nothing outside was reached', async () => {
  expect(combinations).toBeGreaterThanOrEqual(300);
  expect(hits.outside).toBe(0);
  const { items } = await service.admin.ok<{ items: RunRecord[] }>('GET', `${P}/pipelines/hear-outside/runs`);
  expect(items).toEqual([]);
  console.log(`${combinations} combinations`);
});

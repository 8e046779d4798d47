import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import type { RunRecord } from '#common/model/records.ts';
import { SCOPES } from '#common/scopes.ts';
import { type MiddleNode, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';
import { startService, type TestService } from '#test/service.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { smallPlugin } from './plugin-package.ts';

/**
 * Nothing of a rehearsal leaves the gateway (docs/spec/capabilities.md#rehearsal): every kind of write × every way to
 * make it × everything that makes a run a rehearsal. A pipeline without rehearsal reads the state that a leak changes;
 * a control shows that each of these writes does change it.
 */
const P = '/projects/line-1';
const dir = dirPerFile();

/** Writes as scripts make them. Each changes the state that `WITNESS` reads. */
const CALLS = {
  'tags.write': `tags.write('t', Date.now())`,
  'tags.writeMany': `tags.writeMany([{ path: 't', value: Date.now() + 0.5 }])`,
  'vars.set': `vars.set('set', Date.now() + Math.random())`,
  'vars.increment': `vars.increment('n')`,
  'vars.compareAndSet': `vars.compareAndSet('gone', null, 1)`,
  'vars.remove': `vars.remove('kept')`,
  'files.write': `files.write('made.txt', 'x' + Date.now() + Math.random(), 'text')`,
  'files.remove': `files.remove('kept.txt')`,
  'db.query': `db.query('add')`,
  'db.sql': `db.sql('embedded', 'INSERT INTO t VALUES (7)')`,
  'db.transaction': `db.transaction('embedded', [{ sql: 'INSERT INTO t VALUES (7)' }])`,
  'messages.send': `messages.send('heard', 7)`,
} as const;
const PLUGIN_CALL = `http.request('http://TARGET/', 'POST')`;
const WITNESS = `export default async () => ({ body: {
  tag: (await tags.read('t')).value,
  vars: await vars.list(),
  files: (await Promise.all((await files.list()).map(async ({ name }) => [name, await files.read(name, 'text')]))),
  rows: (await db.sql('embedded', 'SELECT count(*) AS n FROM t')).rows,
} })`;

const egress = (target: string, storeAndForward: boolean): MiddleNode => ({
  kind: 'rest-api',
  port: 'response',
  settings: {
    mode: 'egress',
    url: `http://${target}/`,
    method: 'POST',
    staticHeaders: {},
    timeout: 5,
    storeAndForward,
  },
});
const nodes = (target: string): Record<string, MiddleNode> => ({
  'tag-write': { kind: 'tag-write', settings: { writes: [{ tag: 't', from: 'payload.body.value' }] } },
  'variable-write': { kind: 'variable-write', settings: { name: 'node', from: 'payload.body.value' } },
  'file-write': { kind: 'file-write', settings: { path: 'node.json', format: 'json', from: 'payload.body.value' } },
  'named-query': { kind: 'named-query', settings: { query: 'add' } },
  sql: { kind: 'sql', settings: { connection: 'embedded', sql: 'INSERT INTO t VALUES (7)' } },
  transaction: {
    kind: 'transaction',
    settings: { connection: 'embedded', statements: [{ sql: 'INSERT INTO t VALUES (7)' }] },
  },
  'message-out': { kind: 'message-out', settings: { channel: 'heard' } },
  call: egress(target, false),
  'stored call': egress(target, true),
});

/** The writes by name; without a name all of them. */
const dispatch = (calls: Record<string, string>, body: string): string => {
  const entries = Object.entries(calls).map(([name, call]) => `${JSON.stringify(name)}: () => ${call}`);
  return `const calls = { ${entries.join(', ')} }; const what = ${body}?.what;
    for (const name of what === undefined ? Object.keys(calls) : [what]) await calls[name]();`;
};
const transform = (code: string): MiddleNode => ({ kind: 'transform', settings: { scopes: [...SCOPES], code } });
const ways = (): Record<string, MiddleNode> => ({
  script: transform(`export default async (msg) => { ${dispatch(CALLS, 'msg.payload.body')} return { body: 'ok' }; }`),
  'library-script': transform(
    `export default async (msg) => { await scripts.run('act', msg.payload.body ?? {}); return { body: 'ok' }; }`,
  ),
  plugin: { kind: 'act' },
});

/** The reason why a run is a rehearsal: the key, or the pipeline. */
const ORIGINS = {
  'key, as caller': { runAs: 'caller', rehearsal: false, key: 'rehearsal' },
  'key, as pipeline': { runAs: 'pipeline', rehearsal: false, key: 'rehearsal' },
  'pipeline, as caller': { runAs: 'caller', rehearsal: true, key: 'plain' },
  'pipeline, as pipeline': { runAs: 'pipeline', rehearsal: true, key: 'plain' },
  control: { runAs: 'caller', rehearsal: false, key: 'plain' },
} as const;
type Origin = keyof typeof ORIGINS;
const REHEARSALS = Object.keys(ORIGINS).filter((name) => name !== 'control') as Origin[];
const idOf = (...parts: string[]): string => parts.join('-').replaceAll(/[^a-z-]+/g, '-');

let service: TestService;
let peer: Server;
let target: string;
let hits = 0;
const keys: Record<string, string> = {};

beforeAll(async () => {
  peer = createServer((request, response) => {
    hits += 1;
    request.resume();
    response.end('ok');
  });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  const address = peer.address();
  target = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  service = await startService();
  await service.setUp();
  const { admin } = service;
  await admin.ok('PATCH', '/settings', { allowedInternalTargets: [target], journalWrites: 'all' });
  await admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  const source = { provider: 'memory', initial: 0 };
  await admin.ok('PUT', `${P}/tags`, { items: [{ path: 't', type: 'number', writable: true, source }] });
  await admin.ok('POST', `${P}/queries`, { id: 'add', connection: 'embedded', sql: 'INSERT INTO t VALUES (7)' });
  const code = `export default async (body) => { ${dispatch(CALLS, 'body')} }`;
  await admin.ok('POST', `${P}/scripts`, { id: 'act', code });
  await addPlugin();
  for (const [name, limits] of [
    ['plain', {}],
    ['rehearsal', { rehearsal: true }],
  ] as const)
    keys[name] = (await admin.ok<{ key: string }>('POST', `${P}/keys`, { name, scopes: SCOPES, limits })).key;
  await admin.run('line-1', receiver('heard', []));
  for (const [name, middle] of [
    ['reset', [transform(RESET)]],
    ['witness', [transform(WITNESS)]],
  ] as const)
    await admin.run('line-1', routePipeline({ id: name, path: `/${name}`, method: 'POST', middle: [...middle] }));
  for (const origin of Object.keys(ORIGINS) as Origin[])
    for (const [way, middle] of Object.entries({ ...ways(), ...nodes(target) }))
      await admin.run('line-1', pipelineOf(origin, way, middle));
  await ask('reset', 'plain');
}, 240_000);
afterAll(async () => {
  await service?.stop();
  peer?.closeAllConnections();
  await new Promise((resolve) => peer.close(resolve));
});

const RESET = `export default async () => {
  await db.sql('embedded', 'CREATE TABLE IF NOT EXISTS t (n)');
  await vars.set('kept', 1); await vars.set('n', 0); await vars.remove('gone'); await files.write('kept.txt', 'kept', 'text');
  return { body: 'ok' };
}`;

async function addPlugin(): Promise<void> {
  const calls = { ...CALLS, 'http.request': PLUGIN_CALL.replace('TARGET', target) };
  const code = `export default { act: async ({ payload }) => {
    ${dispatch(calls, 'payload.body')} return { payload: { body: 'ok' } }; } };`;
  const kinds = [{ id: 'act', title: 'Act', summary: 'Writes.', scopes: SCOPES }];
  const archive = await smallPlugin(dir.path, { id: 'act', code, kinds, capabilities: [...SCOPES], targets: [target] });
  const { digest } = await service.admin.ok<{ digest: string }>('POST', '/plugins', { archive });
  await service.admin.ok('POST', '/plugins/act/approve', { digest });
}

function pipelineOf(origin: Origin, way: string, middle: MiddleNode): PipelineInput & { id: string } {
  const { runAs, rehearsal } = ORIGINS[origin];
  const id = idOf(origin, way);
  const grants = runAs === 'pipeline' ? [...SCOPES] : [];
  return {
    ...routePipeline({ path: `/${id}`, method: 'POST', middle: [middle], reply: { body: 'ok' }, runAs, grants }),
    id,
    rehearsal,
  };
}

function receiver(channel: string, inner: MiddleNode[], rehearsal = false): PipelineInput & { id: string } {
  const chain = [{ kind: 'message-in', settings: { channel } }, ...inner].map((node, index) => ({
    id: `n${index}`,
    kind: node.kind,
    settings: node.settings ?? {},
  }));
  const wires = chain.slice(1).map(({ id }, index) => ({ from: `n${index}`, port: 'out', to: id }));
  return { id: idOf('hear', channel), name: channel, nodes: chain, wires, grants: [...SCOPES], rehearsal };
}

async function ask(path: string, key: string, body: object = {}): Promise<{ header: string | null; body: unknown }> {
  const response = await fetch(`${service.ready.gateway}/${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': keys[key] ?? '', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`/${path} ${JSON.stringify(body)}: ${response.status} ${text}`);
  return { header: response.headers.get('sluice-rehearsal'), body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** Everything that a leak would change. */
async function state(): Promise<string> {
  const { items } = await service.admin.ok<{ items: RunRecord[] }>('GET', `${P}/pipelines/hear-heard/runs`);
  return JSON.stringify([(await ask('witness', 'plain')).body, items.length, items[0]?.id, hits]);
}

const namesOf = (way: string): { what?: string }[] => {
  if (!(way in ways())) return [{}];
  return [...Object.keys(CALLS), ...(way === 'plugin' ? ['http.request'] : [])].map((what) => ({ what }));
};
const value = (): number => Date.now() + Math.random();
const allWays = [...Object.keys(ways()), ...Object.keys(nodes('x'))];

test('the control: each of these writes changes the state', async () => {
  const blind: string[] = [];
  for (const way of allWays)
    for (const name of namesOf(way)) {
      await ask('reset', 'plain');
      const before = await state();
      const { header } = await ask(idOf('control', way), 'plain', { ...name, value: value() });
      expect(header).toBeNull();
      const seen = await until('the state changes', async () => ((await state()) === before ? null : true), {
        timeoutMs: 3_000,
      }).catch(() => null);
      if (seen === null) blind.push(`${way} ${name.what ?? ''}`);
    }
  expect(blind).toEqual([]);
}, 120_000);

describe.each(REHEARSALS)('by the %s', (origin) => {
  test.each(allWays)('by %s, each write is simulated, counted and journaled, and nothing changes', async (way) => {
    await ask('reset', 'plain');
    const before = await state();
    const names = namesOf(way);
    for (const name of names) {
      const { header } = await ask(idOf(origin, way), ORIGINS[origin].key, { ...name, value: value() });
      expect([name, header]).toEqual([name, '1']);
    }
    expect(await state()).toBe(before);
    const pipeline = idOf(origin, way);
    const { items } = await service.admin.ok<{ items: AuditRow[] }>('GET', '/audit?type=written&limit=100');
    const rows = items.filter((row) => row.pipeline === pipeline);
    const odd = rows.filter(({ result, rehearsal }) => rehearsal !== true || result !== 'rehearsed');
    expect([odd, rows.length]).toEqual([[], names.length]);
    const [run] = (await service.admin.ok<{ items: RunRecord[] }>('GET', `${P}/pipelines/${pipeline}/runs`)).items;
    expect(run?.rehearsal).toMatchObject({ writes: expect.any(Array) });
  });
});

describe('runs without a caller', () => {
  test('a timer of a pipeline in rehearsal changes nothing', async () => {
    await ask('reset', 'plain');
    const before = await state();
    for (const [way, middle] of Object.entries(ways())) {
      const id = idOf('timer', way);
      const timer = { id: 'every', kind: 'timer', settings: { every: 0.2 } };
      await service.admin.run('line-1', {
        id,
        name: id,
        nodes: [timer, { id: 'act', kind: middle.kind, settings: middle.settings ?? {} }],
        wires: [{ from: 'every', port: 'out', to: 'act' }],
        grants: SCOPES,
        rehearsal: true,
      });
      const run = await until('a run of the timer', async () => firstRun(id));
      expect(run).toMatchObject({ outcome: 'ended', rehearsal: { count: namesOf(way).length } });
      await service.admin.ok('POST', `${P}/pipelines/${id}/stop`);
    }
    expect(await state()).toBe(before);
  });

  test.each(Object.keys(ways()))('a message to a pipeline in rehearsal changes nothing, by %s', async (way) => {
    const channel = idOf('go', way);
    await service.admin.run('line-1', receiver(channel, [ways()[way] as MiddleNode], true));
    const send = { kind: 'message-out', settings: { channel } };
    await service.admin.run(
      'line-1',
      routePipeline({ id: channel, path: `/${channel}`, method: 'POST', middle: [send], reply: { body: 'ok' } }),
    );
    await ask('reset', 'plain');
    const before = await state();
    await ask(channel, 'plain');
    const run = await until('a run of the receiver', async () => firstRun(idOf('hear', channel)));
    expect(run).toMatchObject({ outcome: 'ended', rehearsal: { count: namesOf(way).length } });
    expect(await state()).toBe(before);
  });

  test.each(allWays)('a test as a rehearsal changes nothing, by %s', async (way) => {
    await ask('reset', 'plain');
    const before = await state();
    const message = { payload: { body: { value: 7 } } };
    const path = `${P}/pipelines/${idOf('control', way)}/test`;
    const body = { message, rehearsal: true, rights: 'pipeline' };
    await service.admin.ok('PUT', `${P}/pipelines/${idOf('control', way)}`, granted(way));
    const run = await service.admin.ok<RunRecord>('POST', path, body);
    expect([run.error, run.rehearsal?.count]).toEqual([null, namesOf(way).length]);
    expect(await state()).toBe(before);
  });
});

const granted = (way: string) => ({
  ...pipelineOf('control', way, { ...ways(), ...nodes(target) }[way] as MiddleNode),
  grants: SCOPES,
});
const firstRun = async (id: string): Promise<RunRecord | null> =>
  (await service.admin.ok<{ items: RunRecord[] }>('GET', `${P}/pipelines/${id}/runs`)).items[0] ?? null;

test('limits without rehearsal end it for the next run, and a new rehearsal is in force when the call returns', async () => {
  const { admin } = service;
  const made = await admin.ok<{ key: string; record: { id: string } }>('POST', `${P}/keys`, {
    name: 'changing',
    scopes: SCOPES,
  });
  keys['changing'] = made.key;
  const call = () => ask('control-sql', 'changing');
  expect((await call()).header).toBeNull();
  await admin.ok('PUT', `${P}/keys/${made.record.id}/limits`, { limits: { rehearsal: true } });
  expect((await call()).header).toBe('1');
  await admin.ok('PUT', `${P}/keys/${made.record.id}/limits`, { limits: {} });
  expect((await call()).header).toBeNull();
});

test('a rehearsal reads from databases, and its reply counts no write', async () => {
  const read = transform(
    `export default async () => ({ body: (await db.sql('embedded', 'SELECT count(*) AS n FROM t')).rows[0] })`,
  );
  await service.admin.run('line-1', routePipeline({ id: 'reads', path: '/reads', method: 'POST', middle: [read] }));
  const { header, body } = await ask('reads', 'rehearsal');
  expect([header, body]).toEqual(['0', { n: expect.any(Number) }]);
});

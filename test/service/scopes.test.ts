import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectResources } from '#common/model/resources.ts';
import { type Scope, SCOPES } from '#common/scopes.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT, type TestKey } from '#test/make-key.ts';
import { type MiddleNode, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/**
 * Each of the ten scopes on a real gateway: held → works, not held → 403 that names it, for the native node and for the
 * script's call, with `runAs` both ways, and removed during a run by a revocation.
 */
interface Probe {
  readonly scope: Scope;
  readonly name: string;
  readonly native: MiddleNode;
  /** An expression of the script; its promise is awaited. */
  readonly script: string;
}

const probe = (scope: Scope, name: string, kind: string, settings: object, script: string): Probe => ({
  scope,
  name,
  native: { kind, settings: { ...settings } },
  script,
});

const PROBES: readonly Probe[] = [
  probe('tag:read', 'tag-read', 'tag-read', { tags: ['line/*'] }, "tags.read('line/speed')"),
  probe(
    'tag:write',
    'tag-write',
    'tag-write',
    { writes: [{ tag: 'line/speed', value: 7 }] },
    "tags.write('line/speed', 7)",
  ),
  probe('db:read', 'named-query', 'named-query', { query: 'one' }, "db.query('one')"),
  probe(
    'db:write',
    'sql',
    'sql',
    { connection: 'embedded', sql: 'SELECT 1 AS one' },
    "db.sql('embedded', 'SELECT 1 AS one')",
  ),
  probe(
    'db:write',
    'transaction',
    'transaction',
    { connection: 'embedded', statements: [{ sql: 'SELECT 1 AS one' }] },
    "db.transaction('embedded', [{ sql: 'SELECT 1 AS one' }])",
  ),
  probe(
    'hist:read',
    'history-read',
    'history-read',
    { tags: ['line/speed'], from: 'now-1h', to: 'now' },
    "historian.query({ tags: ['line/speed'], from: 'now-1h' })",
  ),
  probe('vars:read', 'variable-read', 'variable-read', { name: 'shift' }, "vars.get('shift')"),
  probe(
    'vars:write',
    'variable-write',
    'variable-write',
    { name: 'shift', value: 'night' },
    "vars.set('shift', 'night')",
  ),
  probe('file:read', 'file-read', 'file-read', { path: 'a.txt', format: 'text' }, "files.read('a.txt', 'text')"),
  probe(
    'file:write',
    'file-write',
    'file-write',
    { path: 'b.txt', format: 'text', value: 'hello' },
    "files.write('b.txt', 'hello', 'text')",
  ),
  probe('script:execute', 'script', 'script', { script: 'twice', args: {} }, "scripts.run('twice', {})"),
  probe('script:execute', 'message-out', 'message-out', { channel: 'probe' }, "messages.send('probe', 1)"),
];

const HOWS = ['native', 'script'] as const;
const RUN_AS = ['caller', 'pipeline'] as const;
type How = (typeof HOWS)[number];

const scriptNode = (code: string): MiddleNode => ({ kind: 'transform', settings: { scopes: [...SCOPES], code } });
const nodeOf = (one: Probe, how: How): MiddleNode =>
  how === 'native' ? one.native : scriptNode(`export default async () => { await ${one.script}; return {}; }`);
const others = (scope: Scope): Scope[] => SCOPES.filter((one) => one !== scope);

interface Case {
  probe: Probe;
  how: How;
  runAs: (typeof RUN_AS)[number];
  held: boolean;
  id: string;
}
const CASES: readonly Case[] = PROBES.flatMap((one) =>
  HOWS.flatMap((how) =>
    RUN_AS.flatMap((runAs) =>
      [true, false].map((held) => ({
        probe: one,
        how,
        runAs,
        held,
        id: `${one.name}-${how}-${runAs}-${held ? 'held' : 'lacking'}`,
      })),
    ),
  ),
);

function pipelineOf({ probe: one, how, runAs, held, id }: Case): PipelineInput {
  const rights = held ? [one.scope] : others(one.scope);
  return routePipeline({
    id,
    path: `/${id}`,
    middle: [nodeOf(one, how)],
    reply: { status: 200, body: 'done' },
    runAs,
    grants: runAs === 'pipeline' ? rights : [],
  });
}

/** The same call before and after a period in which the key is revoked; `log` shows that the first was made. */
interface Midway {
  probe: Probe;
  how: How;
  runAs: (typeof RUN_AS)[number];
  id: string;
  key: TestKey;
}
const MIDWAY: readonly Midway[] = PROBES.flatMap((one) =>
  HOWS.flatMap((how) =>
    RUN_AS.map((runAs) => ({
      probe: one,
      how,
      runAs,
      id: `midway-${one.name}-${how}-${runAs}`,
      key: makeKey({ scopes: [one.scope] }),
    })),
  ),
);

function midwayPipeline({ probe: one, how, runAs, id }: Midway): PipelineInput {
  const reached: MiddleNode = { kind: 'log', settings: { message: `reached ${id}.` } };
  const code = `export default async () => { await ${one.script}; await log('reached ${id}.'); for (;;) await ${one.script}; }`;
  return routePipeline({
    id,
    path: `/${id}`,
    middle:
      how === 'script'
        ? [scriptNode(code)]
        : [one.native, reached, { kind: 'delay', settings: { seconds: 12 } }, one.native],
    reply: { status: 200, body: 'done' },
    runAs,
    grants: runAs === 'pipeline' ? [one.scope] : [],
  });
}

const RESOURCES: ProjectResources = {
  project: TEST_PROJECT,
  connections: [],
  queries: [
    {
      id: 'one',
      description: '',
      connection: 'embedded',
      sql: 'SELECT 1 AS one',
      params: [],
      rowsMax: 10,
      timeout: 30,
    },
  ],
  tags: [
    {
      path: 'line/speed',
      title: '',
      type: 'number',
      unit: 'm/s',
      source: { provider: 'memory', initial: 1 },
      writable: true,
      history: { deadband: 0, maxInterval: 60 },
    },
  ],
  scripts: [{ id: 'twice', description: '', code: 'export default () => 2', deadline: 30 }],
};

const receiver: PipelineInput = {
  id: 'receiver',
  name: 'Receiver',
  nodes: [{ id: 'in', kind: 'message-in', settings: { channel: 'probe' } }],
  wires: [],
};

let gateway: TestGateway;
const keyNone = makeKey();
const keyAll = makeKey({ scopes: [...SCOPES] });
const keysFor = new Map<string, TestKey>();

function keyOf({ probe: one, runAs, held }: Case): TestKey {
  // With runAs: pipeline the grants count, so the key has the scopes that they lack and lacks those that they have.
  if (runAs === 'pipeline') return held ? keyNone : keyAll;
  const name = `${one.scope} ${held}`;
  const key = keysFor.get(name) ?? makeKey({ scopes: held ? [one.scope] : others(one.scope) });
  keysFor.set(name, key);
  return key;
}

beforeAll(async () => {
  for (const one of CASES) keyOf(one);
  gateway = await startGateway({
    keys: [keyNone, keyAll, ...keysFor.values(), ...MIDWAY.map(({ key }) => key)],
    resources: [RESOURCES],
    pipelines: [receiver, ...CASES.map(pipelineOf), ...MIDWAY.map(midwayPipeline)],
  });
  for (const [name, args] of [
    ['vars.set', { name: 'shift', value: 'early' }],
    ['files.write', { path: 'a.txt', content: 'hello', format: 'text' }],
  ] as const)
    await gateway.call('capability', { project: TEST_PROJECT, name, args });
});
afterAll(async () => {
  await gateway.stop();
});

async function ask(id: string, key: TestKey): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${gateway.port}/${id}`, { headers: { 'X-API-Key': key.value } });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
const refusal = (scope: Scope): object => ({
  status: 403,
  body: expect.objectContaining({ code: 'scope_missing', detail: `The run lacks: ${scope}.` }),
});

describe('with the required scope', () => {
  test.each(CASES.filter(({ held }) => held))('$id works', async (one) => {
    expect(await ask(one.id, keyOf(one))).toEqual({ status: 200, body: 'done' });
  });
});

describe('with every scope except the required one', () => {
  test.each(CASES.filter(({ held }) => !held))('$id is refused with 403 and the name of the scope', async (one) => {
    expect(await ask(one.id, keyOf(one))).toEqual(refusal(one.probe.scope));
  });
});

test('a key that is revoked during a run loses the capability at the next call, in both modes of runAs', async () => {
  const answers = MIDWAY.map(async (one) => ({ id: one.id, answer: await ask(one.id, one.key) }));
  for (const { id } of MIDWAY)
    await until(`${id} has made its first call`, () => gateway.log().includes(`reached ${id}.`), { timeoutMs: 30_000 });
  for (const { key } of MIDWAY) await gateway.change({ kind: 'key-revoked', keyId: key.entry.id });
  const expected = MIDWAY.map(({ id, probe: { scope } }) => ({ id, answer: refusal(scope) }));
  expect(await Promise.all(answers)).toEqual(expected);
});

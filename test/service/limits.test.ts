import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeyLimits } from '#common/model/key-limits.ts';
import type { Scope } from '#common/scopes.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT, type TestKey } from '#test/make-key.ts';
import { type MiddleNode, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/**
 * A key that is limited to `line7/filler/*` writes the tag that the body names, by every way to reach a capability:
 * a node, a script, a library script, and each with `runAs: "pipeline"`; and by a message to another pipeline.
 */
const SCOPES: Scope[] = ['tag:write', 'tag:read', 'script:execute', 'vars:write'];
const LIMITS: KeyLimits = { 'tag:write': ['line7/filler/*'] };
const WRITE = `await tags.write(msg.payload.body.tag, msg.payload.body.value); return { body: 'written' };`;
const script = (code: string): MiddleNode => ({
  kind: 'transform',
  settings: { scopes: SCOPES, code: `export default async (msg) => { ${code} }` },
});

const WAYS: Record<string, MiddleNode> = {
  node: { kind: 'tag-write', settings: { writes: [{ tag: '{{payload.body.tag}}', from: 'payload.body.value' }] } },
  script: script(WRITE),
  'library script': script(`await scripts.run('write', msg.payload.body); return { body: 'written' };`),
  'many tags': script(
    `await tags.writeMany([{ path: 'line7/filler/speed', value: 1 }, { path: msg.payload.body.tag, value: 1 }]); return { body: 'written' };`,
  ),
  'uncaught call': script(`tags.write(msg.payload.body.tag, 1); return { body: 'written' };`),
};
const RUN_AS = ['caller', 'pipeline'] as const;
const CASES = Object.keys(WAYS).flatMap((way) => RUN_AS.map((runAs) => ({ way, runAs })));
const pathOf = (way: string, runAs: string): string => `/${way.replaceAll(' ', '-')}-${runAs}`;

let gateway: TestGateway;
const key = makeKey({ scopes: SCOPES, limits: LIMITS });
const elsewhere = makeKey({ scopes: SCOPES, limits: { addresses: ['192.0.2.0/24', 'fd00::/8'] } });

const memoryTag = (path: string) =>
  ({
    path,
    title: '',
    type: 'number',
    unit: '',
    source: { provider: 'memory', initial: 0 },
    writable: true,
    history: null,
  }) as const;

beforeAll(async () => {
  gateway = await startGateway({
    keys: [key, elsewhere],
    resources: [
      {
        project: TEST_PROJECT,
        connections: [],
        queries: [],
        scripts: [
          {
            id: 'write',
            description: '',
            deadline: 1,
            code: 'export default async (args) => { await tags.write(args.tag, args.value); }',
          },
        ],
        tags: [memoryTag('line7/filler/speed'), memoryTag('line7/safety')],
      },
    ],
    pipelines: [
      ...CASES.map(({ way, runAs }) =>
        routePipeline({
          path: pathOf(way, runAs),
          method: 'POST',
          middle: [WAYS[way] as MiddleNode],
          runAs,
          grants: runAs === 'pipeline' ? SCOPES : [],
        }),
      ),
      routePipeline({
        path: '/send',
        method: 'POST',
        middle: [script(`await messages.send('write', msg.payload.body); return { body: 'sent' };`)],
      }),
      {
        id: 'receive',
        name: 'receive',
        nodes: [
          { id: 'start', kind: 'message-in', settings: { channel: 'write' } },
          {
            id: 'write',
            kind: 'tag-write',
            settings: { writes: [{ tag: '{{payload.tag}}', from: 'payload.value' }] },
          },
        ],
        wires: [{ from: 'start', port: 'out', to: 'write' }],
        grants: SCOPES,
      },
      routePipeline({
        path: '/slow',
        method: 'POST',
        middle: [
          script(
            `await tags.write('line7/filler/speed', 1); while (await tags.read('line7/safety').then(({ value }) => value !== 5)) ; ${WRITE}`,
          ),
        ],
      }),
    ],
  });
});
afterAll(async () => {
  await gateway.stop();
});

async function post(path: string, tag: string, caller: TestKey = key) {
  const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': caller.value, 'Content-Type': 'application/json' },
    body: JSON.stringify({ tag, value: 7 }),
  });
  const text = await response.text();
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? '',
    body: text.startsWith('{') ? JSON.parse(text) : text,
  };
}

const valueOf = async (path: string): Promise<unknown> => {
  const { value } = (await gateway.call('capability', {
    project: TEST_PROJECT,
    name: 'tags.read',
    args: { path },
  })) as { value: unknown };
  return value;
};

describe.each(CASES)('by a $way with runAs "$runAs"', ({ way, runAs }) => {
  test('a tag inside the limit is written', async () => {
    expect(await post(pathOf(way, runAs), 'line7/filler/speed')).toMatchObject({ status: 200 });
  });

  test('a tag outside the limit is refused: 403 limit_missing with the tag, the scope and the limit', async () => {
    const { status, requestId, body } = await post(pathOf(way, runAs), 'line7/safety');
    const limit = { scope: 'tag:write', thing: 'line7/safety', entries: ['line7/filler/*'], more: 0 };
    expect([status, body]).toMatchObject([403, { code: 'limit_missing', limit }]);
    expect(await valueOf('line7/safety')).toBe(0);
    const rows = await gateway.journalRows(requestId);
    expect(rows.at(-1)).toMatchObject({
      type: 'outcome',
      code: 'limit_missing',
      keyId: key.entry.id,
      why: { step: 10, compared: { scope: 'tag:write', thing: 'line7/safety', limit: 'line7/filler/*' } },
    });
  });
});

test('a message carries the limits of its sender', async () => {
  expect(await post('/send', 'line7/safety')).toMatchObject({ status: 200, body: 'sent' });
  const run = await until('the run of the receiver', async () => {
    const [newest] = await gateway.call('runs', { project: TEST_PROJECT, pipeline: 'receive' });
    return newest ?? null;
  });
  expect(run).toMatchObject({ outcome: 'failed', error: { code: 'limit_missing' } });
  expect(await valueOf('line7/safety')).toBe(0);
});

test('new limits take effect when they are acknowledged, also for the next call of a run in progress', async () => {
  const changing = makeKey({ scopes: SCOPES });
  await gateway.change({ kind: 'key', key: changing.entry });
  await gateway.call('capability', {
    project: TEST_PROJECT,
    name: 'tags.write',
    args: { path: 'line7/filler/speed', value: 0 },
  });
  const answer = post('/slow', 'line7/safety', changing);
  await until('the run', async () => ((await valueOf('line7/filler/speed')) === 1 ? true : null));
  await gateway.change({ kind: 'key-limits', keyId: changing.entry.id, limits: LIMITS });
  await gateway.call('capability', {
    project: TEST_PROJECT,
    name: 'tags.write',
    args: { path: 'line7/safety', value: 5 },
  });
  expect(await answer).toMatchObject({ status: 403, body: { code: 'limit_missing' } });
  await gateway.call('capability', {
    project: TEST_PROJECT,
    name: 'tags.write',
    args: { path: 'line7/safety', value: 0 },
  });
});

test('a key is refused from another address, and only its holder learns the reason', async () => {
  const { status, requestId, body } = await post('/send', 'line7/filler/speed', elsewhere);
  expect([status, body]).toMatchObject([403, { code: 'address_not_allowed' }]);
  expect(JSON.stringify(body)).not.toContain('192.0.2');
  expect((await gateway.journalRows(requestId)).at(-1)).toMatchObject({
    type: 'refusal',
    code: 'address_not_allowed',
    keyId: elsewhere.entry.id,
    why: { step: 5, compared: { ip: '127.0.0.1', addresses: '192.0.2.0/24, fd00::/8' } },
  });
});

test('a run under way from an address that is no longer allowed loses its rights', async () => {
  const changing = makeKey({ scopes: SCOPES });
  const write = (path: string, value: number) =>
    gateway.call('capability', { project: TEST_PROJECT, name: 'tags.write', args: { path, value } });
  await gateway.change({ kind: 'key', key: changing.entry });
  await write('line7/filler/speed', 0);
  const answer = post('/slow', 'line7/safety', changing);
  await until('the run', async () => ((await valueOf('line7/filler/speed')) === 1 ? true : null));
  await gateway.change({ kind: 'key-limits', keyId: changing.entry.id, limits: { addresses: ['192.0.2.0/24'] } });
  await write('line7/safety', 5);
  expect(await answer).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
  await write('line7/safety', 0);
});

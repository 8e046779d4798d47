import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TagDefinition } from '#common/model/tag.ts';
import { writeRows } from '#test/journal-rows.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { type MiddleNode, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/** Limits of the writes of a tag, on every way to it. */
let gateway: TestGateway;
const key = makeKey({ scopes: ['tag:write', 'script:execute'] });
const MODE = 'line7/mode';
const SPEED = 'line7/speed';

const tagOf = (
  path: string,
  type: TagDefinition['type'],
  initial: string | number,
  more: object = {},
): TagDefinition => ({
  path,
  title: '',
  type,
  unit: '',
  source: { provider: 'memory', initial },
  writable: true,
  history: null,
  ...more,
});
const LIMITED = tagOf(SPEED, 'number', 100, {
  writeLimits: { min: 0, max: 240, maxStep: 5, onlyWhile: [{ tag: MODE, is: '=', value: 'Remote' }] },
});
const resourcesOf = (speed: TagDefinition) => ({
  project: TEST_PROJECT,
  connections: [],
  queries: [],
  scripts: [
    {
      id: 'set-speed',
      description: '',
      deadline: 1,
      code: `export default async ({ value }) => { await tags.write('${SPEED}', value); }`,
    },
  ],
  tags: [tagOf(MODE, 'text', 'Local'), speed],
});

const script = (work: string): MiddleNode => ({
  kind: 'transform',
  settings: {
    scopes: ['tag:write', 'script:execute'],
    code: `export default async (msg) => { const { value } = msg.payload.body; ${work}; return { body: 'written' }; }`,
  },
});
const tagWrite = (from: string): MiddleNode => ({ kind: 'tag-write', settings: { writes: [{ tag: SPEED, from }] } });
const WAYS: Readonly<Record<string, MiddleNode>> = {
  node: tagWrite('payload.body.value'),
  script: script(`await tags.write('${SPEED}', value)`),
  'script-many': script(`await tags.writeMany([{ path: '${SPEED}', value }])`),
  'library-script': script(`await scripts.run('set-speed', { value })`),
};

beforeAll(async () => {
  gateway = await startGateway({
    keys: [key],
    resources: [resourcesOf(LIMITED)],
    pipelines: [
      ...Object.entries(WAYS).map(([way, node]) => routePipeline({ path: `/${way}`, method: 'POST', middle: [node] })),
      routePipeline({
        path: '/send',
        method: 'POST',
        middle: [script(`await messages.send('speed', { value })`)],
      }),
      {
        id: 'receive',
        name: 'receive',
        nodes: [
          { id: 'start', kind: 'message-in', settings: { channel: 'speed' } },
          { ...tagWrite('payload.value'), id: 'write' },
        ],
        wires: [{ from: 'start', port: 'out', to: 'write' }],
        grants: ['tag:write'],
      },
    ],
  });
});
afterAll(() => gateway.stop());

const write = (path: string, value: unknown) =>
  gateway.call('capability', {
    project: TEST_PROJECT,
    name: 'tags.write',
    args: { path, value },
    who: { user: 'Ada' },
  });

async function post(path: string, value: number) {
  const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key.value, 'Content-Type': 'application/json' },
    body: JSON.stringify({ value }),
  });
  const text = await response.text();
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? '',
    body: text.startsWith('{') ? JSON.parse(text) : text,
  };
}

describe.each(Object.keys(WAYS))('by %s', (way) => {
  test('a write is refused while a condition does not hold: 409 with what was compared', async () => {
    await write(MODE, 'Local');
    const { status, body, requestId } = await post(`/${way}`, 101);
    const interlock = { tag: SPEED, limit: 'onlyWhile', expected: `${MODE} = "Remote"`, found: `${MODE} = "Local"` };
    expect([status, body]).toMatchObject([409, { code: 'interlock', interlock }]);
    expect(body.detail).toContain(`a write limit of ${SPEED} expects ${MODE} = "Remote"; found ${MODE} = "Local"`);
    const rows = await gateway.journalRows(requestId);
    expect(rows.at(-1)).toMatchObject({
      type: 'outcome',
      status: 409,
      code: 'interlock',
      why: { step: 10, cause: 'interlock', compared: { ...interlock, node: 'n0' } },
    });
    const writes = await writeRows(gateway.dataDir);
    expect(writes.filter((row) => row.requestId === requestId)).toMatchObject([
      { type: 'write', kind: 'tag', thing: SPEED, to: '101', keyId: key.entry.id },
      { type: 'written', thing: SPEED, result: 'not_performed', code: 'interlock' },
    ]);
  });

  test('a value or a step outside of the limits is refused', async () => {
    await write(MODE, 'Remote');
    expect(await post(`/${way}`, 241)).toMatchObject({
      status: 409,
      body: { interlock: { limit: 'max', found: '241' } },
    });
    expect(await post(`/${way}`, -1)).toMatchObject({ status: 409, body: { interlock: { limit: 'min' } } });
    expect(await post(`/${way}`, 200)).toMatchObject({ status: 409, body: { interlock: { limit: 'maxStep' } } });
    expect((await post(`/${way}`, 101)).status).toBe(200);
  });
});

test('a message between pipelines is refused in the same way', async () => {
  await write(MODE, 'Local');
  expect((await post('/send', 101)).status).toBe(200);
  const refused = await until('the receiver was refused', async () => {
    const rows = await writeRows(gateway.dataDir);
    return rows.find(
      ({ type, pipeline, code }) => type === 'written' && pipeline === 'receive' && code === 'interlock',
    );
  });
  expect(refused).toMatchObject({ thing: SPEED, result: 'not_performed' });
});

test('a user is refused in the same way', async () => {
  await write(MODE, 'Local');
  await expect(write(SPEED, 101)).rejects.toMatchObject({ failure: { code: 'interlock' } });
});

test('a change of the limits is in force before it is acknowledged', async () => {
  await write(MODE, 'Local');
  const change = (speed: TagDefinition) =>
    gateway.change({ kind: 'resources', project: TEST_PROJECT, resources: resourcesOf(speed) });
  await change(tagOf(SPEED, 'number', 100));
  expect((await post('/node', 230)).status).toBe(200);
  await change(LIMITED);
  expect((await post('/node', 101)).status).toBe(409);
});

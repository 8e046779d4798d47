import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/** A route states the oldest value with which it may answer. */
let gateway: TestGateway;
const key = makeKey({ scopes: ['tag:read'] });
const read = (path: string, settings: object) =>
  routePipeline({
    path,
    middle: [{ kind: 'tag-read', settings: { tags: 'line7/speed', into: 'payload.body', ...settings } }],
  });

beforeAll(async () => {
  const source = { provider: 'memory', initial: 118 } as const;
  const tag = {
    path: 'line7/speed',
    title: '',
    type: 'number',
    unit: '',
    source,
    writable: true,
    history: null,
  } as const;
  const code = 'export default async () => ({ body: await tags.read("line7/speed", 0.1) });';
  gateway = await startGateway({
    keys: [key],
    resources: [{ project: TEST_PROJECT, connections: [], queries: [], scripts: [], tags: [tag] }],
    pipelines: [
      read('/any', {}),
      read('/hour', { maxAge: 3_600 }),
      read('/tight', { maxAge: 0.1 }),
      read('/many', { tags: 'line7/*', maxAge: 0.1 }),
      routePipeline({ path: '/script', middle: [{ kind: 'transform', settings: { scopes: ['tag:read'], code } }] }),
    ],
  });
  const write = { project: TEST_PROJECT, name: 'tags.write', args: { path: 'line7/speed', value: 120 } } as const;
  await gateway.call('capability', write);
});
afterAll(() => gateway.stop());

async function get(path: string) {
  const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, { headers: { 'X-API-Key': key.value } });
  const requestId = response.headers.get('x-request-id') ?? '';
  return { status: response.status, requestId, body: await response.json() };
}

test.each(['/any', '/hour'])('%s answers with a value that is young enough', async (path) => {
  expect(await get(path)).toMatchObject({ status: 200, body: { value: 120 } });
});

test.each(['/tight', '/many', '/script'])(
  '%s refuses an older value: 503 with the tag and its source',
  async (path) => {
    const answer = await until('the value is too old', async () => {
      const found = await get(path);
      return found.status === 200 ? null : found;
    });
    expect(answer).toMatchObject({ status: 503, body: { code: 'value_stale' } });
    expect(answer.body.detail).toMatch(
      /^A value of the plant is too old: line7\/speed of memory is \d+ s old; expected at most 0\.1 s\.$/,
    );
    expect((await gateway.journalRows(answer.requestId)).at(-1)).toMatchObject({
      type: 'outcome',
      code: 'value_stale',
      why: { step: 10, cause: 'value_stale', compared: { node: 'n0' } },
    });
  },
);

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProjectResources } from '#common/model/resources.ts';
import { namedQuery } from '#common/model/named-query.ts';
import { tagDefinition } from '#common/model/tag.ts';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { call } from '#test/raw-request.ts';
import { type MiddleNode, routePipeline } from '#test/route-pipeline.ts';

/**
 * A value that a node cannot use is an error of the caller: 400 with what was expected, unless the error port is wired.
 */
const key = makeKey({ scopes: ['db:read', 'db:write', 'tag:read'] });
const resources: ProjectResources = {
  project: TEST_PROJECT,
  connections: [],
  queries: [
    namedQuery.parse({ id: 'by-line', sql: 'SELECT :line AS line', params: [{ name: 'line', type: 'integer' }] }),
  ],
  tags: [tagDefinition.parse({ path: 'line/speed', type: 'number', source: { provider: 'memory' } })],
  scripts: [],
};
const line = { line: '{{payload.body.line}}' };
const NODES = {
  named: { kind: 'named-query', settings: { query: 'by-line', params: line } },
  tag: { kind: 'tag-read', settings: { tags: ['line/{{payload.body.line}}'] } },
} satisfies Record<string, MiddleNode>;
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    keys: [key],
    resources: [resources],
    pipelines: [
      ...Object.entries(NODES).map(([id, node]) =>
        routePipeline({ id, method: 'POST', path: `/${id}`, middle: [node], reply: { status: 200, body: 'done' } }),
      ),
      routePipeline({
        id: 'wired',
        method: 'POST',
        path: '/wired',
        middle: [{ ...NODES.named, port: 'error' }],
        reply: { status: 422, body: 'mine' },
      }),
    ],
  });
});
afterAll(() => gateway?.stop());

const post = (path: string, value: unknown) =>
  call(gateway.port, {
    method: 'POST',
    path,
    key: key.value,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ line: value }),
  });

test.each([
  ['/named', 'a text where a whole number is bound', 'seven', 'expected a whole number'],
  ['/named', 'a list', [7], 'expected a whole number'],
  ['/named', 'an object', { a: 7 }, 'expected a whole number'],
  ['/named', 'nothing', undefined, 'has no value'],
  ['/named', 'null', null, 'has no value'],
  ['/tag', 'a pattern', '*', 'without "*"'],
  ['/tag', 'what is no tag path', 'a//b', 'a tag path'],
])('%s: %s', async (path, _what, value, says) => {
  const response = await post(path, value);
  expectRefusal(response, 'value_invalid');
  expect(response.json()).toMatchObject({ status: 400, detail: expect.stringContaining(says) });
});

test('valid values are served, and a wired error port replies as its author specifies', async () => {
  expect((await post('/named', 7)).status).toBe(200);
  expect((await post('/tag', 'speed')).status).toBe(200);
  expect((await post('/wired', [7])).status).toBe(422);
});

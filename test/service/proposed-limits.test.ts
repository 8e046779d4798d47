import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '#common/scopes.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { routePipeline } from '#test/route-pipeline.ts';

/** The things that a key uses, as the gateway notes them for a proposal of its limits. */
const SCOPES: Scope[] = ['vars:read', 'vars:write', 'tag:write'];
const key = makeKey({ scopes: SCOPES });
const other = makeKey({ scopes: SCOPES });
const code = `export default async () => {
  await vars.set('shift/a', 1); await vars.get('shift/a'); await vars.list('shift/');
  try { await tags.write('missing', 1); } catch {}
  return { body: 'ok' }; }`;
let gateway: TestGateway;
beforeAll(async () => {
  const middle = [{ kind: 'transform', settings: { scopes: SCOPES, code } }];
  gateway = await startGateway({
    keys: [key, other],
    resources: [{ project: TEST_PROJECT, connections: [], queries: [], tags: [], scripts: [] }],
    pipelines: [
      routePipeline({ path: '/as-caller', method: 'POST', middle }),
      routePipeline({ path: '/as-pipeline', method: 'POST', middle, runAs: 'pipeline', grants: SCOPES }),
    ],
  });
});
afterAll(async () => {
  await gateway.stop();
});

test.each(['as-caller', 'as-pipeline'])('the things that a key uses %s are noted for this key alone', async (path) => {
  const response = await fetch(`http://127.0.0.1:${gateway.port}/${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key.value },
  });
  expect(response.status).toBe(200);
  expect(await gateway.call('key-things', { keyId: key.entry.id })).toEqual({
    since: expect.any(String),
    lists: {
      'vars:write': { things: ['shift/a'], more: false },
      'vars:read': { things: ['shift/a', 'shift/*', 'shift/*/**'], more: false },
      'tag:write': { things: ['missing'], more: false },
    },
  });
  expect(await gateway.call('key-things', { keyId: other.entry.id })).toMatchObject({ lists: {} });
  expect(await gateway.call('key-things', { keyId: 'unknown' })).toBeNull();
});

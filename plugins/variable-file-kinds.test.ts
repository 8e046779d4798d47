import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { type Scope, scopeMask } from '#common/scopes.ts';
import { tempDir } from '#test/temp-dir.ts';
import { CapabilityBroker } from '../gateway/capabilities/capability-broker.ts';
import { ENDLESS_DISK } from '../gateway/capabilities/disk-room.testing.ts';
import { createFiles } from '../gateway/capabilities/files/files.ts';
import { grantsPrincipal } from '../gateway/capabilities/principal.ts';
import { createVariables } from '../gateway/capabilities/variables/variables.ts';
import { definition, dispatch, ingress, makeHarness, noScripts, response } from '../gateway/pipeline/harness.ts';

/** The kinds in the real runtime, with the real broker and real files. */
const NODES = [
  ingress(),
  {
    id: 'count',
    kind: 'variable-write',
    settings: { name: 'orders/count', increment: 1, into: 'payload.body.number' },
  },
  { id: 'keep', kind: 'file-write', settings: { path: 'orders/{{payload.body.number}}.json', format: 'json' } },
  { id: 'get', kind: 'variable-read', settings: { name: 'orders/count', into: 'payload.body.count' } },
  {
    id: 'load',
    kind: 'file-read',
    settings: { path: 'orders/{{payload.body.number}}.json', format: 'json', into: 'payload.body.kept' },
  },
  response(),
];

test('orders are counted, saved and read again; each missing scope is reported', async () => {
  await using dir = await tempDir();
  const parts = { dataDir: dir.path, log: createLogger('test', () => undefined), disk: ENDLESS_DISK };
  const capabilities = [createVariables(parts), createFiles(parts)];
  const { runtime, compile } = makeHarness([], noScripts, new CapabilityBroker(capabilities));
  const pipeline = await compile(definition(NODES, ['in → count → keep → get → load → reply']));
  const order = async (...scopes: Scope[]) =>
    dispatch(pipeline, { body: { id: 'ORD-1' } }, grantsPrincipal(scopeMask(scopes))).told;
  const all: Scope[] = ['vars:read', 'vars:write', 'file:read', 'file:write'];
  for (const number of [1, 2, 3]) {
    expect(await order(...all)).toMatchObject({
      kind: 'reply',
      reply: { body: JSON.stringify({ id: 'ORD-1', number, count: number, kept: { id: 'ORD-1', number } }) },
    });
  }
  expect(readFileSync(join(dir.path, 'projects', 'p', 'files', 'orders', '3.json'), 'utf8')).toBe(
    '{"id":"ORD-1","number":3}',
  );
  for (const scope of all) {
    const others = all.filter((one) => one !== scope);
    expect(await order(...others)).toMatchObject({ kind: 'failed', code: 'scope_missing', missing: [scope] });
  }
  await runtime.close();
  for (const capability of capabilities) await capability.close();
});

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Scope, scopeMask, SCOPES } from '#common/scopes.ts';
import { type Message, NodeError, type NodeInstance, type Run, ScopeMissingError } from '#sdk';
import { NO_EGRESS } from '#sdk/testing.ts';
import { CapabilityAccess } from '../gateway/capabilities/access.ts';
import type { Capability } from '../gateway/capabilities/contract.ts';
import { CapabilityBroker } from '../gateway/capabilities/capability-broker.ts';
import type { Sandbox } from '../gateway/sandbox/contract.ts';
import { createSandbox } from '../gateway/sandbox/sandbox.ts';
import { makeRun } from '../gateway/sandbox/sandbox-fixture.ts';
import { transform } from './transform/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ log: () => undefined });
});
afterAll(() => sandbox.close());

const run = makeRun();

async function create(settings: unknown): Promise<NodeInstance> {
  return transform.create(transform.settings.parse(settings), {
    project: 'p',
    node: { id: 'make', name: 'Make' },
    scripts: sandbox,
    egress: NO_EGRESS,
  });
}

const READ_AND_QUERY = `export default async () => {
  const { value } = await tags.read('line7/speed');
  try { await db.query('orders'); } catch (error) { return [value, error.code, error.message]; }
};`;

/** A run on a route whose caller has these scopes, with capabilities that respond `late` ms later. */
function runWith(held: readonly Scope[], lateMs = 0): Run {
  const answer: Capability<'tags.read' | 'db.query'> = {
    calls: {
      'tags.read': async ({ path }) => {
        await delay(lateMs);
        return { path, value: 7, quality: 'good', reason: null, time: null, unit: '' };
      },
      'db.query': () => ({ rows: [], rowCount: 0, truncated: false }),
    },
    close: () => Promise.resolve(),
  };
  const context = {
    project: 'p',
    pipeline: 'pipe',
    node: 'make',
    principal: { scopes: scopeMask(held), revoked: false, limits: null, rehearsal: false, things: null },
    signal: run.signal,
    remainingMs: () => 30_000,
    nextTurn: () => Promise.resolve(),
    matches: () => Promise.reject(new Error('this test makes no matches')),
    depth: 0,
    hops: 0,
    log: () => undefined,
    rehearsal: () => null,
    mask: (text: string) => text,
  };
  return {
    ...run,
    origin: {},
    capabilities: new CapabilityAccess(new CapabilityBroker([answer]), { ...context, origin: () => ({}) }),
  };
}

const EMPTY: Message = { payload: null, request: null, caller: null };

describe('the script of a transform node', () => {
  test('has the scopes it names, limited to the rights of the run', async () => {
    const node = await create({ code: READ_AND_QUERY, scopes: ['tag:read'] });
    expect(await node.run(EMPTY, runWith(['tag:read', 'db:read']))).toMatchObject({
      message: { payload: [7, 'scope_missing', 'the run lacks the scope db:read'] },
    });
    const refused = Promise.resolve(node.run(EMPTY, runWith(['db:read'])));
    await expect(refused).rejects.toBeInstanceOf(ScopeMissingError);
    await expect(refused).rejects.toMatchObject({ missing: ['tag:read'] });
    await node.close?.();
  });

  test('cannot use capabilities that it does not name, for any caller', async () => {
    const node = await create({ code: READ_AND_QUERY });
    await expect(Promise.resolve(node.run(EMPTY, runWith(SCOPES)))).rejects.toMatchObject({ missing: ['tag:read'] });
    await node.close?.();
  });

  test('may wait longer for a capability than its deadline', async () => {
    const node = await create({
      code: "export default async () => (await tags.read('a')).value",
      scopes: ['tag:read'],
      deadline: 0.1,
    });
    expect(await node.run(EMPTY, runWith(['tag:read'], 300))).toMatchObject({ message: { payload: 7 } });
    await node.close?.();
  });
});

describe('the transform node', () => {
  test.each(transform.examples.map((example) => [example.title, example] as const))(
    'behaves as in its example "%s"',
    async (_title, { settings, payload, expect: expected }) => {
      const node = await create(settings);
      const message: Message = { payload, request: null, caller: null };
      const outcome = await Promise.resolve(node.run(message, run)).catch((error: unknown) => error);
      if ('error' in expected) expect(outcome).toMatchObject({ name: 'NodeError', code: expected.error });
      else if ('port' in expected) {
        expect(outcome).toEqual({ port: expected.port, message: { ...message, payload: expected.payload } });
      }
      await node.close?.();
    },
  );

  test('replaces the whole payload and leaves the rest of the message unchanged', async () => {
    const node = await create({
      code: 'export default (msg) => { msg.request = 1; msg.caller = 2; return { a: 1 }; }',
    });
    const message: Message = {
      payload: { body: { kept: false } },
      request: { id: 'r', method: 'GET', path: '/', route: '/', ip: '::1', receivedAt: '2026-01-01T00:00:00Z' },
      caller: { keyId: 'k', name: 'n', scopes: [] },
      error: { node: 'n', code: 'c', message: 'm' },
    };
    const before = structuredClone(message);
    expect(await node.run(message, run)).toEqual({ port: 'out', message: { ...message, payload: { a: 1 } } });
    expect(message).toEqual(before);
    await node.close?.();
  });

  test('shows its script the payload, request, caller and error, whatever else the message contains', async () => {
    const node = await create({ code: 'export default (msg) => [Object.keys(msg), msg.secret ?? null]' });
    const message = { payload: 1, request: null, caller: null, secret: 'not for scripts' };
    expect(await node.run(message, run)).toMatchObject({
      message: { payload: [['payload', 'request', 'caller'], null] },
    });
    await node.close?.();
  });

  test('is not created with code that is not a valid script', async () => {
    await expect(create({ code: 'export default' })).rejects.toBeInstanceOf(NodeError);
    await expect(create({ code: 'export default' })).rejects.toMatchObject({ code: 'script_invalid' });
  });

  test('gives its script one second by default, and no scopes', () => {
    const settings = transform.settings.parse({ code: 'export default () => 1' });
    expect(settings).toEqual({ code: 'export default () => 1', scopes: [], deadline: 1 });
    expect(transform.scopes(settings)).toEqual([]);
    expect(transform.scopes({ ...settings, scopes: ['tag:read'] })).toEqual(['tag:read']);
  });

  test.each([
    [{}, 'expected the code of an ES module with one default export, a function of the message'],
    [{ code: '' }, 'expected the code of an ES module with one default export, a function of the message'],
    [{ code: 'x'.repeat(262_145) }, 'expected at most 262,144 characters'],
    [{ code: 'x', deadline: 0.09 }, 'expected seconds from 0.1 to 3,600'],
    [{ code: 'x', deadline: 3601 }, 'expected seconds from 0.1 to 3,600'],
    [{ code: 'x', deadline: '1' }, 'expected seconds from 0.1 to 3,600'],
    [{ code: 'x', scopes: ['tag:all'] }, expect.stringContaining('"tag:all" is not a scope')],
  ])('refuses wrong settings with one plain sentence (%#)', (settings, text) => {
    const result = transform.settings.safeParse(settings);
    expect(result.error?.issues.map((issue) => issue.message)).toEqual([text]);
  });
});

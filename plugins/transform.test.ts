import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Message, NodeError, type NodeInstance, type Run } from '#sdk';
import { testCapabilities } from '#sdk/testing.ts';
import type { Sandbox } from '../gateway/sandbox/contract.ts';
import { createSandbox } from '../gateway/sandbox/sandbox.ts';
import { transform } from './transform/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ log: () => undefined });
});
afterAll(() => sandbox.close());

const run: Run = {
  signal: new AbortController().signal,
  remainingMs: () => 30_000,
  reply: () => undefined,
  log: () => undefined,
  capabilities: testCapabilities(),
};

async function create(settings: unknown): Promise<NodeInstance> {
  return transform.create(transform.settings.parse(settings), {
    node: { id: 'make', name: 'Make' },
    scripts: sandbox,
  });
}

describe('the transform node', () => {
  test.each(transform.examples.map((example) => [example.title, example] as const))(
    'does as its example "%s" says',
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

  test('replaces the payload whole and leaves the rest of the message as it was', async () => {
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

  test('is not created with code that is no script', async () => {
    await expect(create({ code: 'export default' })).rejects.toBeInstanceOf(NodeError);
    await expect(create({ code: 'export default' })).rejects.toMatchObject({ code: 'script_invalid' });
  });

  test('gives its script a second by default, and no scopes', () => {
    const settings = transform.settings.parse({ code: 'export default () => 1' });
    expect(settings).toEqual({ code: 'export default () => 1', scopes: [], deadline: 1 });
    expect(transform.scopes(settings)).toEqual([]);
    expect(transform.scopes({ ...settings, scopes: ['tag:read'] })).toEqual(['tag:read']);
  });

  test.each([
    [{}, 'expected the code of an ES module with one default export, a function of the message'],
    [{ code: '' }, 'expected the code of an ES module with one default export, a function of the message'],
    [{ code: 'x'.repeat(262_145) }, 'expected code of at most 262144 characters'],
    [{ code: 'x', deadline: 0.09 }, 'expected seconds from 0.1 to 3,600'],
    [{ code: 'x', deadline: 3601 }, 'expected seconds from 0.1 to 3,600'],
    [{ code: 'x', deadline: '1' }, 'expected seconds from 0.1 to 3,600'],
    [{ code: 'x', scopes: ['tag:all'] }, expect.stringContaining('"tag:all" is not a scope')],
  ])('refuses wrong settings in one plain sentence (%#)', (settings, text) => {
    const result = transform.settings.safeParse(settings);
    expect(result.error?.issues.map((issue) => issue.message)).toEqual([text]);
  });
});

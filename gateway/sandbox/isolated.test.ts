import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Scope, SCOPES } from '#common/scopes.ts';
import { ScopeMissingError } from '#sdk';
import { holding, stubDoor } from './capability-fixture.ts';
import type { IsolatedModule, IsolatedRun } from './contract.ts';
import { RestartDelay } from './restart-delay.ts';
import { type Fixture, makeFixture } from './sandbox-fixture.ts';

const PLUGIN = `
  let calls = 0;
  const born = Math.random();
  export default {
    'add': ({ payload }, { by }) => ({ payload: payload + by }),
    'count': () => ++calls,
    'born': () => born,
    'fetch': async (message, { url }) => http.request({ url }),
    'loop': () => { for (;;); },
    'deaf': () => Array.prototype.reverse.call({ length: 2 ** 40 }),
    'read': () => tags.read('a'),
  };`;

let fixture: Fixture;
let plugin: IsolatedModule;
beforeAll(async () => {
  fixture = await makeFixture();
  plugin = await fixture.sandbox.compileIsolated(PLUGIN, { deadlineSeconds: 60, name: 'acme', kinds: [] });
});
afterAll(() => fixture.sandbox.close());

function withScopes(scopes: readonly Scope[], deadlineSeconds = 60, project = 'p'): IsolatedRun {
  const door = stubDoor(({ name, args }) => ({ name, args }));
  const { capabilities } = holding(door, scopes, { plugin: { id: 'acme', targets: ['api.example.com:443'] } });
  return { project, signal: new AbortController().signal, capabilities, deadlineSeconds };
}

describe('the module of a plugin', () => {
  test('runs its kinds with message and settings', async () => {
    expect(await plugin.call('add', [{ payload: 1 }, { by: 2 }], withScopes([]))).toEqual({ payload: 3 });
    await expect(plugin.call('other', [1, {}], withScopes([]))).rejects.toMatchObject({
      message: expect.stringContaining('it has no kind other'),
    });
    await expect(plugin.call('constructor', [1, {}], withScopes([]))).rejects.toMatchObject({ code: 'script_failed' });
  });

  test('keeps nothing from one message to the next', async () => {
    expect([await plugin.call('count', [], withScopes([])), await plugin.call('count', [], withScopes([]))]).toEqual([
      1, 1,
    ]);
  });

  test('has an instance for each project, for as long as the project uses it', async () => {
    const born = (project: string) => plugin.call('born', [], withScopes([], 60, project));
    const first = await born('alpha');
    expect([await born('alpha'), await born('beta')]).toEqual([first, expect.any(Number)]);
    expect(await born('beta')).not.toBe(first);
    plugin.leave('alpha');
    expect(await born('alpha')).not.toBe(first);
    expect(await born('alpha')).not.toBe(await born('beta'));
  });

  test('gets http.request, and the capabilities that its rights allow', async () => {
    expect(await plugin.call('fetch', [null, { url: 'https://api.example.com/' }], withScopes([]))).toMatchObject({
      name: 'http.request',
      args: { url: 'https://api.example.com/', method: 'GET' },
    });
    expect(await plugin.call('read', [], withScopes(SCOPES))).toMatchObject({ name: 'tags.read' });
    await expect(plugin.call('read', [], withScopes([]))).rejects.toBeInstanceOf(ScopeMissingError);
  });

  test.each(['loop', 'deaf'])('that hangs (%s) fails its own call at its deadline and works again', async (kind) => {
    const other = await fixture.compile('export default (n) => n + 1');
    const hanging = Promise.allSettled([plugin.call(kind, [], withScopes([], 0.3))]);
    const { signal } = new AbortController();
    expect(await other.call(1, { signal, capabilities: null })).toBe(2);
    expect(await hanging).toMatchObject([{ reason: { code: 'script_deadline' } }]);
    expect(await plugin.call('add', [{ payload: 1 }, { by: 1 }], withScopes([]))).toEqual({ payload: 2 });
    other.close();
  });

  test.each([
    [0.3, 60],
    [2, 0.1],
  ])(
    'that ignores its deadline is ended a quarter of that deadline later: %d s, its own %d s',
    async (seconds, own) => {
      const module = await fixture.sandbox.compileIsolated(PLUGIN, { deadlineSeconds: own, name: 'acme', kinds: [] });
      const startedMs = performance.now();
      await expect(module.call('deaf', [], withScopes([], seconds))).rejects.toMatchObject({ code: 'script_deadline' });
      const tookMs = performance.now() - startedMs;
      expect(tookMs).toBeGreaterThan(seconds * 1250);
      // A quarter of the module's 60 s would be more; everything below is due to a busy machine.
      expect(tookMs).toBeLessThan(seconds * 1250 + 10_000);
      await module.close();
    },
  );

  test('still runs all its calls after it was found to be slow', async () => {
    const run = withScopes([], 0.1);
    await expect(plugin.call('loop', [], run)).rejects.toMatchObject({ code: 'script_deadline' });
    const all = Array.from({ length: 20 }, (_, by) => plugin.call('add', [{ payload: 1 }, { by }], withScopes([])));
    expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, (_, by) => ({ payload: 1 + by })));
  });

  test.each([
    ['export default () => 1', 'expected the default export to be an object of functions, one per kind'],
    ['export default { a: 1 }', 'expected a function for each kind; a is not a function'],
    ['export default { other() {} }', 'expected a function for the kind wanted'],
    ['export const a = 1;', 'expected one export, the default one; it has a'],
  ])('is refused with a reason when it is %j', async (code, text) => {
    await expect(
      fixture.sandbox.compileIsolated(code, { deadlineSeconds: 1, name: 'bad', kinds: ['wanted'] }),
    ).rejects.toMatchObject({
      code: 'script_invalid',
      message: expect.stringContaining(text),
    });
  });

  test('is removed once closed', async () => {
    const short = await fixture.sandbox.compileIsolated(PLUGIN, { deadlineSeconds: 60, name: 'acme', kinds: [] });
    await short.close();
    await expect(short.call('count', [], withScopes([]))).rejects.toMatchObject({ code: 'script_failed' });
  });
});

test('a worker that is lost repeatedly is restarted later and later, up to a limit', () => {
  const delay = new RestartDelay();
  const waits = Array.from({ length: 12 }, () => {
    delay.lost(0, 1_000);
    return delay.leftMs(1_000);
  });
  expect(waits.slice(0, 4)).toEqual([0, 200, 400, 800]);
  expect(waits.at(-1)).toBe(30_000);
  delay.lost(0, 60_000);
  expect(delay.leftMs(60_000)).toBe(0);
});

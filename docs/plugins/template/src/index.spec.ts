import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, test } from 'node:test';
import plugin from './index.ts';

/** The part of the manifest that this test uses. It shows that the settings match the function. */
interface Manifest {
  kinds: { id: string; examples?: Example[] }[];
}
interface Example {
  title: string;
  settings: never;
  payload: unknown;
  expect: { port: string; payload: unknown } | { error: string };
}
const manifest: Manifest = JSON.parse(readFileSync(new URL('../sluice-plugin.json', import.meta.url), 'utf8'));

const functions: SluicePlugin = plugin;
const message = (payload: unknown): ScriptMessage => ({ payload, request: null, caller: null });

/** In the sandbox these are globals, as Sluice offers them; here they are what the test says. */
function offer(globals: object): void {
  Object.assign(globalThis, globals);
}
afterEach(() => offer({ tags: undefined }));

for (const kind of manifest.kinds) {
  for (const { title, settings, payload, expect } of kind.examples ?? []) {
    test(`${kind.id}: ${title}`, async () => {
      const perform = async (): Promise<unknown> => functions[kind.id]?.(message(payload), settings);
      if ('error' in expect) await assert.rejects(perform);
      else assert.deepEqual(await perform(), expect);
    });
  }
}

test('acme-deviation: compares with the tag', async () => {
  const read: string[] = [];
  offer({
    tags: {
      read: async (path: string) => {
        read.push(path);
        return { value: 100, quality: 'good', reason: null, unit: 'rpm' };
      },
    },
  });
  const settings = { field: 'speed', tag: 'line7/filler/setpoint' };
  const result = await plugin['acme-deviation'](message({ body: { speed: 97 } }), settings);
  assert.deepEqual(result, { payload: { body: { actual: 97, setpoint: 100, deviation: -3, unit: 'rpm' } } });
  assert.deepEqual(read, ['line7/filler/setpoint']);
});

test('acme-deviation: reports why there is no value', async () => {
  offer({ tags: { read: async () => ({ value: null, quality: 'bad', reason: 'the device is gone', unit: '' }) } });
  const run = async (): Promise<unknown> =>
    plugin['acme-deviation'](message({ body: { speed: 97 } }), { field: 'speed', tag: 'a' });
  await assert.rejects(run, /the device is gone/);
});

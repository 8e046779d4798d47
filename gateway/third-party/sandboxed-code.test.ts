import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PluginManifest, pluginManifest } from '#common/model/plugin-manifest.ts';
import type { Message } from '#sdk';
import { testRun } from '#sdk/testing.ts';
import type { Sandbox } from '../sandbox/contract.ts';
import { PLUGIN_CODE_BYTES_MAX } from '../sandbox/limits.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import type { PluginCode } from './plugin-code.ts';
import { sandboxedCode } from './sandboxed-code.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ log: () => undefined });
});
afterAll(() => sandbox.close());

const manifest: PluginManifest = pluginManifest.parse({
  id: 'acme',
  name: 'Acme',
  version: '1.0.0',
  kinds: [
    { id: 'acme-add', title: 'Add', summary: 'Adds.' },
    { id: 'acme-slow', title: 'Slow', summary: 'Computes for long.', deadline: 0.3 },
  ],
});
const open = (code: string | Uint8Array): Promise<PluginCode> =>
  sandboxedCode(sandbox)(typeof code === 'string' ? Buffer.from(code) : code, manifest);
const message: Message = { payload: 2, request: null, caller: null };

test('a function gets message and settings, and each call the deadline of its kind', async () => {
  const code = await open(`
    const spend = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
    export default {
      'acme-add': ({ payload }, { by }) => { spend(400); return { payload: payload + by }; },
      'acme-slow': () => spend(400),
    };`);
  expect(await code.call('acme-add', message, { by: 40 }, { ...testRun(), project: 'p' })).toEqual({ payload: 42 });
  await expect(code.call('acme-slow', message, {}, { ...testRun(), project: 'p' })).rejects.toMatchObject({
    code: 'plugin_deadline',
  });
  await code.close();
  await expect(code.call('acme-add', message, {}, { ...testRun(), project: 'p' })).rejects.toMatchObject({
    code: 'plugin_failed',
  });
});

test.each([
  ['is not UTF-8', Buffer.from([0x65, 0xff, 0xfe]), 'its main file index.js is not UTF-8 text'],
  ['is too large', `//${'x'.repeat(PLUGIN_CODE_BYTES_MAX)}`, 'its main file index.js: expected code of at most'],
  ['imports', `import 'node:fs'; export default {};`, 'its main file index.js: scripts cannot import anything'],
])('a main file that %s is refused with the reason', async (_what, code, reason) => {
  await expect(open(code)).rejects.toThrow(reason);
});

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadGuest } from './guest.ts';
import { prelude } from './prelude.ts';

const LOOP = 'for (;;); export default () => 1';

describe('a run that is cancelled while its engine is brought up', () => {
  test('is told so, and costs no worker', async () => {
    const file = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
    const loaded = await loadGuest(LOOP, {
      wasm: await WebAssembly.compile(await readFile(file)),
      prelude: prelude(null),
      host: { entropy: () => 1 },
      watch: () => 'script_cancelled',
      begin: () => undefined,
      buffer: (bytes) => new SharedArrayBuffer(bytes),
    });
    expect(loaded).toMatchObject({ failure: { code: 'script_cancelled' } });
  });
});

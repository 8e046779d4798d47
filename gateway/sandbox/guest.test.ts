import { describe, expect, test } from 'vitest';
import { loadEngineWasm } from './engine-wasm.ts';
import { loadGuest } from './guest.ts';
import { ROOM_BYTES_MIN } from './limits.ts';
import { prelude } from './prelude.ts';

const LOOP = 'for (;;); export default () => 1';

describe('a run that is cancelled while its engine is brought up', () => {
  test('is told so, and costs no worker', async () => {
    const loaded = await loadGuest(LOOP, {
      wasm: await loadEngineWasm(),
      prelude: prelude(null),
      host: { entropy: () => 1 },
      watch: () => 'script_cancelled',
      room: ROOM_BYTES_MIN,
      begin: () => undefined,
      buffer: (bytes) => new SharedArrayBuffer(bytes),
    });
    expect(loaded).toMatchObject({ failure: { code: 'script_cancelled' } });
  });
});

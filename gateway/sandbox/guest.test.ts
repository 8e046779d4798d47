import { describe, expect, test } from 'vitest';
import { loadEngineWasm } from './engine-wasm.ts';
import { loadGuest } from './guest.ts';
import { ROOM_BYTES_MAX, ROOM_BYTES_MIN } from './limits.ts';
import { prelude } from './prelude.ts';

const LOOP = 'for (;;); export default () => 1';

describe('a run that is cancelled while its engine is brought up', () => {
  test('fails with that reason, and costs no worker', async () => {
    const loaded = await loadGuest(LOOP, {
      wasm: await loadEngineWasm(),
      prelude: prelude(null),
      host: { entropy: () => 1 },
      watch: () => 'script_cancelled',
      room: ROOM_BYTES_MIN,
      begin: () => undefined,
      buffer: (bytes) => new ArrayBuffer(bytes),
    });
    expect(loaded).toMatchObject({ failure: { code: 'script_cancelled' } });
  });
});

test.each([ROOM_BYTES_MIN, ROOM_BYTES_MAX])('a run that waits holds no part of %i free bytes', async (room) => {
  const loaded = await loadGuest("export default () => vars.get('a')", {
    wasm: await loadEngineWasm(),
    prelude: prelude(null),
    host: { entropy: () => 1 },
    watch: () => null,
    room,
    begin: () => undefined,
    buffer: (bytes) => new ArrayBuffer(bytes),
  });
  if ('failure' in loaded) throw new Error(loaded.failure.text);
  for (let turn = 0; turn < 2; turn++) {
    const { code, calls } = loaded.guest.run('null', []);
    const image = calls?.image;
    if (code !== 'suspended' || !image) throw new Error('expected the run to wait');
    expect(image.top - image.from).toBeLessThan(512 * 1024);
    expect(loaded.guest.resume({ image, answers: [[1, true, '1', []]] }).code).toBe('');
  }
});

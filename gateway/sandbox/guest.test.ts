import { describe, expect, test } from 'vitest';
import { ROOM_BYTES_MAX, ROOM_BYTES_MIN } from './limits.ts';
import { bareGuest, guestOf } from './sandbox-fixture.ts';

const LOOP = 'for (;;); export default () => 1';

describe('a run that is cancelled while its engine is brought up', () => {
  test('fails with that reason, and costs no worker', async () => {
    const loaded = await bareGuest(LOOP, { watch: () => 'script_cancelled' });
    expect(loaded).toMatchObject({ failure: { code: 'script_cancelled' } });
  });
});

test.each([ROOM_BYTES_MIN, ROOM_BYTES_MAX])('a run that waits holds no part of %i free bytes', async (room) => {
  const guest = guestOf(await bareGuest("export default () => vars.get('a')", { room }));
  for (let turn = 0; turn < 2; turn++) {
    const { code, calls } = guest.run('null', []);
    const image = calls?.image;
    if (code !== 'suspended' || !image) throw new Error('expected the run to wait');
    expect(image.top - image.from).toBeLessThan(512 * 1024);
    expect(guest.resume({ image, answers: [[1, true, '1', []]] }).code).toBe('');
  }
});

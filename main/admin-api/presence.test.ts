import { beforeEach, describe, expect, test } from 'vitest';
import { type EditorWindow, OpenWindows, PRESENCE_MS, WINDOWS_MAX, WINDOWS_PER_USER_MAX } from './presence.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

const START = Date.parse('2026-03-01T06:00:00Z');
const anna = { id: 'u1', name: 'Anna' };
const ben = { id: 'u2', name: 'Ben' };
const at = (user: EditorWindow['user'], window = 'window-1', place = 'line/orders'): EditorWindow => ({
  user,
  window,
  place,
});

describe('open windows', () => {
  let elapsedMs = 0;
  let open: OpenWindows;
  beforeEach(() => {
    elapsedMs = 0;
    open = new OpenWindows({ now: () => START + elapsedMs, elapsedMs: () => elapsedMs });
  });

  test('others are listed with the time since which they have been there, each once', () => {
    expect(open.stay(at(anna))).toEqual(['line/orders']);
    elapsedMs = 1_000;
    open.stay(at(ben));
    elapsedMs = 2_000;
    expect(open.stay(at(ben, 'window-2'))).toEqual(['line/orders']);
    expect(open.stay(at(anna))).toEqual([]);
    expect(open.others(at(anna))).toEqual([{ name: 'Ben', since: '2026-03-01T06:00:01.000Z', own: false }]);
    expect(open.others(at(ben))).toEqual([
      { name: 'Anna', since: '2026-03-01T06:00:00.000Z', own: false },
      { name: 'Ben', since: '2026-03-01T06:00:02.000Z', own: true },
    ]);
    expect(open.others(at(anna, 'window-1', 'line/other'))).toEqual([]);
  });

  test('a silent window ends by itself', () => {
    open.stay(at(anna));
    elapsedMs = PRESENCE_MS - 1;
    expect(open.others(at(ben))).toHaveLength(1);
    elapsedMs = PRESENCE_MS;
    expect(open.others(at(ben))).toEqual([]);
    open.stay(at(anna));
    elapsedMs += PRESENCE_MS;
    expect(open.stay(at(ben, 'window-1', 'line/other'))).toEqual(['line/orders', 'line/other']);
    expect(open.size).toBe(1);
  });

  test('a window has one pipeline open, and only its user closes it', () => {
    open.stay(at(anna));
    expect(open.leave(at(ben))).toBe(false);
    expect(open.stay(at(anna, 'window-1', 'line/other'))).toEqual(['line/other', 'line/orders']);
    expect(open.leave(at(anna))).toBe(false);
    expect(open.leave(at(anna, 'window-1', 'line/other'))).toBe(true);
    expect(open.size).toBe(0);
  });

  test('the windows of a user and all windows are bounded', () => {
    const one = (n: number) => at(anna, `window-${n}`);
    for (let n = 0; n <= WINDOWS_PER_USER_MAX; n++) open.stay(one(n));
    expect(open.size).toBe(WINDOWS_PER_USER_MAX);
    expect(open.leave(one(0))).toBe(false);
    for (let n = 0; n < WINDOWS_MAX; n++) open.stay(at({ id: `p${n}`, name: `P ${n}` }));
    expect(open.size).toBe(WINDOWS_MAX);
    expect(open.leave(one(WINDOWS_PER_USER_MAX))).toBe(false);
  });
});

describe('the calls', () => {
  harnessPerTest({ project: { id: 'line-7', name: 'Line 7' } });
  const PIPELINES = '/projects/line-7/pipelines';

  test('list who else has the pipeline open, until they leave', async () => {
    await admin.send('POST', PIPELINES, { id: 'orders', name: 'Orders', nodes: [], wires: [] });
    const viewer = await harness.personWith(admin, 'view');
    const mine = `${PIPELINES}/orders/windows/window-a`;
    const theirs = `${PIPELINES}/orders/windows/window-b`;
    expect((await admin.send('PUT', mine)).body).toEqual({ items: [], next: null });
    const others = (await viewer.send('PUT', theirs)).body['items'];
    expect(others).toEqual([{ name: expect.any(String), since: expect.any(String), own: false }]);
    expect((await admin.send('PUT', mine)).body['items']).toHaveLength(1);
    expect((await viewer.send('DELETE', mine)).status).toBe(204);
    expect((await admin.send('PUT', mine)).body['items']).toHaveLength(1);
    expect((await viewer.send('DELETE', theirs)).status).toBe(204);
    expect((await admin.send('PUT', mine)).body['items']).toEqual([]);
  });

  test('refuse an invalid ID and an unknown pipeline', async () => {
    await admin.send('POST', PIPELINES, { id: 'orders', name: 'Orders', nodes: [], wires: [] });
    expect((await admin.send('PUT', `${PIPELINES}/orders/windows/a`)).body['code']).toBe('unknown');
    expect((await admin.send('PUT', `${PIPELINES}/none/windows/window-a`)).body['code']).toBe('unknown');
  });
});

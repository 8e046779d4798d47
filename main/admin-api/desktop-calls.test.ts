import { beforeEach, expect, test } from 'vitest';
import { createHarness } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

let kiosk: boolean;
harnessPerTest({ desktop: { kiosk: () => kiosk, setKiosk: async (on) => void (kiosk = on) } });
beforeEach(() => {
  kiosk = true;
});

test('a service has no window: its status shows none, and the call gets 409', async () => {
  const service = await createHarness();
  try {
    const client = await service.setUp();
    expect((await client.send('GET', '/status')).body).not.toHaveProperty('desktop');
    const { status, body } = await client.send('POST', '/desktop/kiosk', { on: true });
    expect([status, body['code']]).toEqual([409, 'conflict']);
  } finally {
    await service.close();
  }
});

test('an Administrator leaves the full screen, and the journal names the user', async () => {
  expect((await admin.send('GET', '/status')).body['desktop']).toEqual({ kiosk: true });
  const { status, body } = await admin.send('POST', '/desktop/kiosk', { on: false });
  expect([status, body]).toEqual([200, { kiosk: false }]);
  expect(kiosk).toBe(false);
  expect((await admin.send('GET', '/status')).body['desktop']).toEqual({ kiosk: false });
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'desktop.kiosk', detail: 'off', user: 'Ada', status: 200 });
});

test('a user who may not change settings stays in the full screen', async () => {
  const operator = await harness.personWith(admin, 'view', 'run_pipelines', 'edit_pipelines', 'manage_users');
  const { status, body } = await operator.send('POST', '/desktop/kiosk', { on: false });
  expect([status, body['code']]).toEqual([403, 'permission_missing']);
  expect(kiosk).toBe(true);
});

test('only on and off are accepted', async () => {
  for (const body of [{}, { on: 'no' }, { on: false, for: 'ever' }])
    expect((await admin.send('POST', '/desktop/kiosk', body)).status).toBe(400);
  expect(kiosk).toBe(true);
});

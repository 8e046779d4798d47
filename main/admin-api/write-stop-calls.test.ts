import { expect, test } from 'vitest';
import { createAlarms } from '../host/alarms.ts';
import { setWriteStopAlarm } from '../host/write-stop-alarm.ts';
import { createRestarts } from './restart.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest({ heldFile: true, project: { id: 'line-7', name: 'Line 7' } });

const STOPS = '/projects/line-7/write-stops';
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const stop = (more: object = {}) => admin.send('POST', STOPS, { reason: 'Service of the filler', ...more });
const listed = async () => (await admin.send('GET', STOPS)).body['items'];

test('a stop is in the gateway, in the store and in the journal, and an operator ends it', async () => {
  const until = inHours(2);
  const { status, body } = await stop({ until });
  const record = { project: 'line-7', device: null, reason: 'Service of the filler', until, by: 'Ada' };
  expect([status, body]).toMatchObject([201, record]);
  expect(harness.gateway.changes.at(-1)).toMatchObject({ kind: 'write-stops', stops: [record] });
  const row = {
    act: 'tag.stop-writes',
    project: 'line-7',
    target: 'line-7',
    detail: `until ${until}: Service of the filler`,
  };
  expect(harness.audit.rows.slice(-2)).toMatchObject([row, { ...row, status: 200 }]);
  expect(await listed()).toMatchObject([record]);
  const operator = await harness.personWith(admin, 'view', 'run_pipelines');
  expect((await operator.send('POST', `${STOPS}/end`, {})).status).toBe(204);
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'write-stops', stops: [] });
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'tag.allow-writes', target: 'line-7', status: 200 });
  expect(await listed()).toEqual([]);
});

test('a viewer may not stop writes', async () => {
  const viewer = await harness.personWith(admin, 'view');
  expect((await viewer.send('POST', STOPS, { reason: 'x' })).status).toBe(403);
});

test.each([
  [{ reason: ' ' }, 'reason'],
  [{ until: '2020-01-01T00:00:00Z' }, 'until'],
  [{ until: 'tomorrow' }, 'until'],
  [{ device: 'A B' }, 'device'],
])('%j is refused by its field', async (more, path) => {
  const { status, body } = await stop(more);
  expect([status, body]).toMatchObject([400, { errors: [{ path }] }]);
  expect(harness.gateway.changes).toEqual([]);
});

test('a device that does not exist is refused', async () => {
  expect((await stop({ device: 'scada' })).status).toBe(404);
});

test('a second stop never shortens the first', async () => {
  const late = inHours(8);
  await stop({ until: late });
  expect((await stop({ until: inHours(1), reason: 'Again' })).body).toMatchObject({ until: late, reason: 'Again' });
  expect((await stop({ until: null })).body).toMatchObject({ until: null });
});

test('a stop is in force at once when the store cannot be written, survives a restart, and is saved later', async () => {
  const restarts = createRestarts();
  try {
    harness.faults.wanted = true;
    expect(await stop()).toMatchObject({ status: 507, body: { code: 'not_saved' } });
    expect(harness.gateway.changes.at(-1)).toMatchObject({ kind: 'write-stops', stops: [{ project: 'line-7' }] });
    expect(await listed()).toHaveLength(1);
    harness.faults.wanted = false;
    restarts.restart(harness);
    expect(harness.deps.projects.writeStops.list()).toMatchObject([{ reason: 'Service of the filler' }]);
    await harness.deps.unsaved.retry();
    expect(harness.deps.unsaved.list()).toEqual([]);
    restarts.restart(harness);
    expect(harness.deps.projects.writeStops.list()).toHaveLength(1);
  } finally {
    restarts.end();
  }
});

test('the end of a stop replaces a stop that is not saved', async () => {
  harness.faults.wanted = true;
  await stop();
  harness.faults.wanted = false;
  expect((await admin.send('POST', `${STOPS}/end`, {})).status).toBe(204);
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'write-stops', stops: [] });
});

test('the stops are deleted with their project', async () => {
  await stop();
  await admin.send('DELETE', '/projects/line-7');
  expect(harness.deps.projects.writeStops.list()).toEqual([]);
  expect(harness.gateway.changes.at(-1)).toMatchObject({ kind: 'write-stops', stops: [] });
});

test('an alarm names the stops while they are in force', () => {
  const alarms = createAlarms();
  const one = { project: 'line-7', device: 'scada', reason: 'Service', until: null, at: '', by: 'Ada' };
  setWriteStopAlarm(alarms, [one]);
  expect(alarms.list()).toMatchObject([{ code: 'writes_stopped', values: { stops: 'line-7/scada: Service' } }]);
  setWriteStopAlarm(alarms, []);
  expect(alarms.list()).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TagDefinition } from '#common/model/tag.ts';
import type { WriteStop } from '#common/model/write-stop.ts';
import { writeRows } from '#test/journal-rows.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/** Stops of writes in the real gateway. */
let gateway: TestGateway;
const key = makeKey({ scopes: ['tag:write'] });
const SPEED = 'line7/speed';
const KEY_SWITCH = 'line7/key-switch';

const tagOf = (path: string, type: TagDefinition['type'], initial: number | boolean | null): TagDefinition => ({
  path,
  title: '',
  type,
  unit: '',
  source: { provider: 'memory', initial },
  writable: true,
  history: null,
});
const resources = (...more: TagDefinition[]) => ({
  project: TEST_PROJECT,
  connections: [],
  queries: [],
  scripts: [],
  tags: [tagOf(SPEED, 'number', 100), ...more],
});
const stopOf = (more: Partial<WriteStop> = {}): WriteStop => ({
  project: TEST_PROJECT,
  device: null,
  reason: 'Service of the filler',
  until: null,
  at: new Date().toISOString(),
  by: 'Ada',
  ...more,
});

beforeAll(async () => {
  gateway = await startGateway({
    keys: [key],
    resources: [resources()],
    pipelines: [
      routePipeline({
        path: '/speed',
        method: 'POST',
        middle: [{ kind: 'tag-write', settings: { writes: [{ tag: SPEED, from: 'payload.body.value' }] } }],
      }),
    ],
  });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await stop();
  await gateway.change({ kind: 'resources', project: TEST_PROJECT, resources: resources() });
});

const stop = (...stops: WriteStop[]) => gateway.change({ kind: 'write-stops', stops });
const write = (path: string, value: unknown) =>
  gateway.call('capability', {
    project: TEST_PROJECT,
    name: 'tags.write',
    args: { path, value },
    who: { user: 'Ada' },
  });

async function post(value: number) {
  const response = await fetch(`http://127.0.0.1:${gateway.port}/speed`, {
    method: 'POST',
    headers: { 'X-API-Key': key.value, 'Content-Type': 'application/json' },
    body: JSON.stringify({ value }),
  });
  const text = await response.text();
  const requestId = response.headers.get('x-request-id') ?? '';
  return { status: response.status, requestId, body: response.status === 409 ? JSON.parse(text) : text };
}

test('a stop of the project refuses with its reason and end, and leaves rows', async () => {
  const end = new Date(Date.now() + 3_600_000).toISOString();
  await stop(stopOf({ until: end }));
  const { status, body, requestId } = await post(101);
  const shown = { of: 'project', name: TEST_PROJECT, reason: 'Service of the filler', until: end };
  expect([status, body]).toMatchObject([409, { code: 'write_stopped', stop: shown }]);
  expect(body.detail).toContain('Service of the filler');
  const rows = await gateway.journalRows(requestId);
  expect(rows.at(-1)).toMatchObject({ code: 'write_stopped', why: { cause: 'write_stopped', compared: shown } });
  const writes = await writeRows(gateway.dataDir);
  const written = writes.find((row) => row.type === 'written' && row.requestId === requestId);
  expect(written).toMatchObject({ result: 'not_performed', code: 'write_stopped' });
  await expect(write(SPEED, 101)).rejects.toMatchObject({ failure: { code: 'write_stopped' } });
  await stop();
  expect((await post(101)).status).toBe(200);
});

test('a stop of another project or of a device does not affect the tag', async () => {
  await stop(stopOf({ project: 'other' }), stopOf({ device: 'scada' }));
  expect((await post(101)).status).toBe(200);
});

test('a stop ends by itself', async () => {
  await stop(stopOf({ until: new Date(Date.now() + 300).toISOString() }));
  expect((await post(101)).status).toBe(409);
  await until('the stop has ended', async () => (await post(101)).status === 200);
});

test('a tag stops the project while it is true or not good, and can be written itself', async () => {
  const change = (initial: boolean | null) =>
    gateway.change({
      kind: 'resources',
      project: TEST_PROJECT,
      resources: resources({ ...tagOf(KEY_SWITCH, 'boolean', initial), stopsWrites: true }),
    });
  await change(null);
  const unknown = await post(101);
  expect(unknown).toMatchObject({ status: 409, body: { stop: { of: 'tag', name: KEY_SWITCH, until: null } } });
  expect(unknown.body.stop.reason).toContain('its quality is bad');
  await write(KEY_SWITCH, false);
  expect((await post(101)).status).toBe(200);
  await write(KEY_SWITCH, true);
  expect(await post(101)).toMatchObject({ status: 409, body: { stop: { reason: 'it is true' } } });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeyLimits } from '#common/model/key-limits.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, type TestKey } from '#test/make-key.ts';
import { routePipeline } from '#test/route-pipeline.ts';

/** A key that is paused, has ended, or is limited to other hours of the week. */
let gateway: TestGateway;
const key = makeKey({ name: 'MES' });

beforeAll(async () => {
  gateway = await startGateway({ keys: [key], pipelines: [routePipeline({ path: '/state' })] });
});
afterAll(() => gateway.stop());

async function call(caller: TestKey = key) {
  const response = await fetch(`http://127.0.0.1:${gateway.port}/state`, { headers: { 'X-API-Key': caller.value } });
  const requestId = response.headers.get('x-request-id') ?? '';
  const body = response.status === 200 ? null : await response.json();
  return { status: response.status, requestId, body };
}

const limit = (limits: KeyLimits) => gateway.change({ kind: 'key-limits', keyId: key.entry.id, limits });
const DAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** Whole days in UTC, counted from today. */
const day = (offset: number) => `${DAY_NAMES[(new Date().getUTCDay() + 7 + offset) % 7] ?? ''} 00:00-24:00`;

test('a paused key is refused with its cause, but not with the reason, until it is resumed', async () => {
  await gateway.change({ kind: 'key-paused', keyId: key.entry.id, paused: 'Service of the filler' });
  const { status, requestId, body } = await call();
  expect([status, body]).toMatchObject([403, { code: 'key_inactive', detail: 'This API key is paused.' }]);
  expect(JSON.stringify(body)).not.toContain('filler');
  expect((await gateway.journalRows(requestId)).at(-1)).toMatchObject({
    type: 'refusal',
    code: 'key_inactive',
    keyId: key.entry.id,
    why: { step: 5, cause: 'key_paused', compared: { reason: 'Service of the filler' } },
  });
  await gateway.change({ kind: 'key-paused', keyId: key.entry.id, paused: null });
  expect((await call()).status).toBe(200);
});

test('a key that was paused when the gateway started is refused', async () => {
  const paused = makeKey({ paused: 'Not needed' });
  await gateway.change({ kind: 'key', key: paused.entry });
  expect(await call(paused)).toMatchObject({ status: 403, body: { code: 'key_inactive' } });
});

test('a key is refused outside of its hours, by the clock of the setting timeZone, naming both', async () => {
  await gateway.changeSettings({ timeZone: 'UTC' });
  await limit({ hours: [day(-1), day(0), day(1)] });
  expect((await call()).status).toBe(200);
  const other = day(3);
  await limit({ hours: [other] });
  const { status, requestId, body } = await call();
  const detail = `This API key may be used only: ${other} (UTC).`;
  expect([status, body]).toMatchObject([403, { code: 'key_inactive', detail }]);
  expect((await gateway.journalRows(requestId)).at(-1)).toMatchObject({
    why: { step: 5, cause: 'outside_hours', compared: { hours: other, zone: 'UTC' } },
  });
  await limit({});
});

test('a key is refused after its end', async () => {
  await limit({ until: new Date(Date.now() + 3_600_000).toISOString() });
  expect((await call()).status).toBe(200);
  const until = new Date(Date.now() - 1_000).toISOString();
  await limit({ until });
  const { status, requestId, body } = await call();
  expect([status, body]).toMatchObject([403, { code: 'key_inactive', detail: `This API key ended at ${until}.` }]);
  expect((await gateway.journalRows(requestId)).at(-1)).toMatchObject({
    why: { step: 5, cause: 'key_ended', compared: { until } },
  });
  await limit({});
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, type TestKey } from '#test/make-key.ts';
import { loadSample, type LoadedSample } from '#test/sample.ts';
import { until } from '#test/until.ts';

/** The sample project "Filling line" (docs/samples/filling-line.json) as its callers see it, in the order of a day. */
let gateway: TestGateway;
let sample: LoadedSample;
let mes: TestKey;
let display: TestKey;

beforeAll(async () => {
  sample = await loadSample('filling-line');
  mes = makeKey({
    project: sample.project,
    name: 'MES',
    scopes: ['db:read', 'db:write', 'tag:write', 'vars:write', 'script:execute'],
  });
  display = makeKey({
    project: sample.project,
    name: 'Display',
    scopes: ['tag:read', 'db:read', 'hist:read', 'vars:read', 'file:read'],
  });
  gateway = await startGateway({
    keys: [mes, display],
    resources: [sample.resources],
    pipelines: sample.pipelines.map((definition) => ({ project: sample.project, definition })),
  });
});
afterAll(async () => {
  await gateway.stop();
});

async function ask(
  key: TestKey,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${gateway.port}/api/v1/line${path}`, {
    method,
    headers: { 'X-API-Key': key.value, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: json ? JSON.parse(text) : text };
}

test('every pipeline of the sample starts, and its check reports no error', async () => {
  for (const definition of sample.pipelines) {
    const { errors } = await gateway.call('check', { project: sample.project, definition });
    expect(
      errors.filter(({ code }) => code !== 'route_clash'),
      definition.id,
    ).toEqual([]);
  }
  expect(gateway.ready.failed).toEqual([]);
});

test('an order is refused until the database is set up, then stored, shown on the line and counted', async () => {
  const order = { orderId: 'WO-1042', product: 'Water 0.5 l', quantity: 2500, due: '2026-11-22T06:00:00Z' };
  expect(await ask(mes, 'POST', '/orders', order)).toMatchObject({ status: 503 });
  expect(await ask(mes, 'POST', '/prepare')).toEqual({ status: 200, body: { prepared: true } });
  expect(await ask(mes, 'POST', '/orders', order)).toEqual({ status: 201, body: { accepted: 'WO-1042' } });

  expect(await ask(display, 'GET', '/orders/WO-1042')).toMatchObject({
    status: 200,
    body: { orderId: 'WO-1042', product: 'Water 0.5 l', quantity: 2500 },
  });
  const counted = await until('the order is counted', async () => {
    const { body } = await ask(display, 'GET', '/status');
    return (body as { lastOrder: unknown }).lastOrder === null ? null : body;
  });
  expect(counted).toMatchObject({
    tags: {
      'line1/order/current': { value: 'WO-1042', quality: 'good' },
      'line1/order/target': { value: 2500, unit: 'bottles' },
      'line1/filler/speed': { quality: 'good', unit: 'bottles/min' },
    },
    lastOrder: { shift: expect.stringMatching(/^(?:early|late|night)$/), orders: 1 },
  });
});

test('the same order sent twice is a conflict, and an invalid order gets a list of its errors', async () => {
  const order = { orderId: 'WO-1042', product: 'Water 0.5 l', quantity: 1 };
  expect(await ask(mes, 'POST', '/orders', order)).toMatchObject({ status: 409 });
  expect(await ask(mes, 'POST', '/orders', { ...order, orderId: 'x', quantity: 0 })).toMatchObject({
    status: 400,
    body: { errors: expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining('orderId') })]) },
  });
  expect(await ask(display, 'GET', '/orders/WO-9')).toMatchObject({ status: 404 });
});

test('the display may not submit orders, and the MES may not read the trend', async () => {
  expect(await ask(display, 'POST', '/orders', {})).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
  expect(await ask(mes, 'GET', '/trend')).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
});

test('the trend contains the recorded values', async () => {
  const series = await until('something was recorded', async () => {
    const { body } = await ask(display, 'GET', '/trend');
    const [speed] = body as { tag: string; unit: string; points: { value: number | null }[] }[];
    return typeof speed?.points[0]?.value === 'number' ? body : null;
  });
  // Only the last seconds of the hour were recorded, as the quality shows.
  expect(series).toMatchObject([
    { tag: 'line1/filler/speed', unit: 'bottles/min', points: [{ quality: 'uncertain' }] },
    { tag: 'line1/tank/level', unit: '%' },
  ]);
});

test('the timer writes the report, which is served as a file', async () => {
  const report = await until(
    'the report has the order',
    async () => {
      const { status, body } = await ask(display, 'GET', '/report');
      return status === 200 && String(body).includes('Water') ? String(body) : null;
    },
    { timeoutMs: 30_000, everyMs: 200 },
  );
  expect(report).toMatch(/^product,orders,bottles\r?\nWater 0\.5 l,1,2500\r?\n?$/);
});

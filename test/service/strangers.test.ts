import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { openRaw, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/** Connections from 4,000 addresses, which the owner of a network can easily have. */
const ADDRESSES = 4_100;
const AT_ONCE = 100;
const key = makeKey();
const get = requestBytes({ path: '/ok', key: key.value });
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    keys: [key],
    pipelines: [routePipeline({ id: 'ok', path: '/ok', ...fixedReply('ok') })],
  });
});
afterAll(() => gateway?.kill9());

test('silent connections from 4,000 addresses keep no machine out', { timeout: 60_000 }, async () => {
  await using kept = await openRaw(gateway.port, { localAddress: '127.30.0.1' });
  kept.send(get);
  expect((await kept.next()).status).toBe(200);
  for (let n = 0; n < ADDRESSES; n += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, k) =>
        openRaw(gateway.port, { localAddress: `127.31.${(n + k) >> 8}.${(n + k) & 255}` }),
      ),
    );
  await until('all places are taken', async () => (await gateway.call('stats', {})).connections >= 4_000);
  const statuses: number[] = [];
  for (let n = 0; n < 20; n++) {
    await using one = await openRaw(gateway.port, { localAddress: `127.32.0.${1 + n}` });
    one.send(get);
    statuses.push((await one.next()).status);
  }
  kept.send(get);
  expect([...statuses, (await kept.next()).status]).toEqual(Array(21).fill(200));
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { openRaw, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';

/** The use of the event loop by long bodies: pieces, between which other projects' calls are served. */
const MIB = 1024 * 1024;
const long = makeKey({ project: 'long' });
const short = makeKey({ project: 'short' });
const json = { 'Content-Type': 'application/json' };
const LONG = { timeout: 60_000 };
const route = { maxPayloadSize: 16 * MIB };
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    keys: [long, short],
    pipelines: [long, short].map(({ entry: { project } }) => ({
      project,
      definition: routePipeline({ id: 'in', method: 'POST', path: `/${project}`, route, ...fixedReply('ok') }),
    })),
  });
});
afterAll(() => gateway?.kill9());

const orders = JSON.stringify(
  Array.from({ length: 120_000 }, (_, n) => ({ orderId: `WO-${n}`, quantity: n, urgent: n % 7 === 0, note: 'x' })),
);

test.each([
  ['JSON', json, orders],
  ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'name=value+%C3%A4&'.repeat(300_000)],
])(
  'calls of another project are served while %s of several megabytes is decoded',
  LONG,
  async (_what, headers, body) => {
    const request = requestBytes({ method: 'POST', path: '/long', key: long.value, headers, body });
    const order = requestBytes({ method: 'POST', path: '/short', key: short.value, headers: json, body: '{"a":1}' });
    await using slow = await openRaw(gateway.port, { localAddress: '127.0.31.1' });
    await using quick = await openRaw(gateway.port, { localAddress: '127.0.31.2' });
    const callQuickly = async () => {
      quick.send(order);
      return (await quick.next()).status;
    };
    slow.send(request.subarray(0, -1));
    // Everything so far has been read: the service does not decode before the last byte.
    for (let n = 0; n < 5; n++) expect(await callQuickly()).toBe(200);
    slow.send(request.subarray(-1));
    let served = 0;
    while (slow.responses.length === 0) {
      expect(await callQuickly()).toBe(200);
      served += 1;
    }
    expect((await slow.next()).status).toBe(200);
    // In one go it would be one, or two.
    expect(served).toBeGreaterThan(3);
  },
);

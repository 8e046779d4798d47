import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { call, openRaw, type RawConnection, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/** Step 0, limits: connections in total and per address, requests in flight, bodies and replies in memory. */
const key = makeKey();
/** One key has a quarter of what all share, one project half. */
const shares = ['line-1', 'line-1', 'line-2', 'line-2'].map((project) => makeKey({ project }));
const MIB = 1024 * 1024;
const LARGE_MIB = 16;
const LARGE_BODIES = { route: { maxPayloadSize: '64 MB' }, ...fixedReply('taken') };
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    keys: [key, ...shares],
    settings: { trustedProxies: ['127.0.0.99'] },
    pipelines: [
      routePipeline({ id: 'ok', path: '/ok', ...fixedReply('ok') }),
      routePipeline({ id: 'wait', path: '/wait', route: { timeout: 5 }, middle: [], reply: null }),
      routePipeline({
        id: 'take',
        method: 'POST',
        path: '/take',
        ...LARGE_BODIES,
      }),
      {
        project: 'line-2',
        definition: routePipeline({ id: 'wait', path: '/wait2', route: { timeout: 5 }, middle: [], reply: null }),
      },
      {
        project: 'line-2',
        definition: routePipeline({ id: 'take', method: 'POST', path: '/take2', ...LARGE_BODIES }),
      },
      routePipeline({ id: 'large', path: '/large', ...fixedReply('x'.repeat(LARGE_MIB * MIB)) }),
    ],
  });
});
afterAll(() => gateway?.kill9());

const ok = (localAddress: string) => call(gateway.port, { path: '/ok', key: key.value, connect: { localAddress } });
const connections = async () => (await gateway.call('stats', {})).connections;

async function open(count: number, localAddress: string): Promise<RawConnection[]> {
  return Promise.all(Array.from({ length: count }, () => openRaw(gateway.port, { localAddress })));
}
async function close(all: RawConnection[]): Promise<void> {
  await Promise.all(all.map((one) => one[Symbol.asyncDispose]()));
  await until('the gateway sees none of them', async () => (await connections()) === 0);
}

test('the 257th connection from one address is refused with 503, and another address is served', async () => {
  const all = await open(256, '127.0.0.20');
  await until('256 connections', async () => (await connections()) >= 256);
  await using extra = await openRaw(gateway.port, { localAddress: '127.0.0.20' });
  const requestId = expectRefusal(await extra.next(), 'overloaded');
  expect((await gateway.journalRows(requestId))[0]).toMatchObject({ code: 'overloaded', why: { step: 0 } });
  expect((await ok('127.0.0.21')).status).toBe(200);
  await close(all);
  expect((await ok('127.0.0.20')).status).toBe(200);
});

test('lingering connections of refused calls do not use up the connections of their address', async () => {
  for (let round = 0; round < 3; round += 1) {
    const all = await open(200, '127.0.0.22');
    all.forEach((one) => one.send('GET no-slash HTTP/1.1\r\nHost: a\r\n\r\n'));
    await Promise.all(all.map(async (one) => expectRefusal(await one.next(), 'bad_request')));
    void Promise.all(all.map((one) => one[Symbol.asyncDispose]()));
  }
  expect((await ok('127.0.0.22')).status).toBe(200);
});

test('a new connection over the limit of its address replaces the connection that has been idle longest', async () => {
  const all = await open(256, '127.0.0.23');
  const get = requestBytes({ path: '/ok', key: key.value });
  // The oldest is the one in use, so it must not be the one that is ended.
  for (const one of [...all.slice(1), ...all.slice(0, 1)]) {
    one.send(get);
    expect((await one.next()).status).toBe(200);
  }
  expect((await ok('127.0.0.23')).status).toBe(200);
  expect(await all[1]?.closed()).toMatchObject({ how: 'end' });
  await until('its place is free', async () => (await connections()) <= 255);
  all[0]?.send(get);
  expect((await all[0]?.next())?.status).toBe(200);
  expect((await gateway.journalRows()).filter(({ ip, code }) => ip === '127.0.0.23' && code !== undefined)).toEqual([]);
  await close(all);
});

test('a trusted proxy may open more connections', async () => {
  const all = await open(300, '127.0.0.99');
  expect((await ok('127.0.0.99')).status).toBe(200);
  await close(all);
});

test('at 4,000 connections, a new one replaces the one that has been silent longest', { timeout: 60_000 }, async () => {
  // Listening sockets accept callers in any order: the oldest is the one that is counted before the others connect.
  const [oldest] = await open(1, '127.0.1.99');
  await until('the oldest is counted', async () => (await connections()) >= 1);
  const busiest = await open(250, '127.0.1.99');
  const all: RawConnection[] = [];
  for (let address = 100; all.length < 3749; address++)
    all.push(...(await open(Math.min(250, 3749 - all.length), `127.0.1.${address}`)));
  await until('4,000 connections', async () => (await connections()) >= 4000);
  expect((await ok('127.0.1.98')).status).toBe(200);
  expect(await oldest?.closed()).toMatchObject({ how: 'end' });
  expect(oldest?.responses).toEqual([]);
  await until('the last one is gone', async () => (await connections()) <= 3999);
  const rows = await gateway.journalRows();
  expect(rows.filter((row) => row.why?.cause === 'made_room')).toMatchObject([
    { ip: '127.0.1.99', code: 'overloaded' },
  ]);
  await close([...all, ...busiest]);
  expect((await ok('127.0.1.99')).status).toBe(200);
});

test('a thousand slow senders keep no other caller out', { timeout: 60_000 }, async () => {
  const all: RawConnection[] = [];
  for (let address = 100; all.length < 1001; address++) all.push(...(await open(143, `127.0.3.${address}`)));
  const head = requestBytes({ method: 'POST', path: '/take', key: key.value, headers: { 'Content-Length': '2' } });
  for (const one of all) one.send(head);
  const bodies = async () => (await gateway.call('stats', {})).inFlight;
  expect((await ok('127.0.3.99')).status).toBe(200);
  expect(await bodies()).toBe(0);
  for (const one of all) {
    one.send('{}');
    expect((await one.next()).status).toBe(200);
  }
  await close(all);
});

test(
  'with 1,000 requests in flight, the next one is refused and its body is not read',
  { timeout: 60_000 },
  async () => {
    const all: RawConnection[] = [];
    for (let address = 100; all.length < 1000; address++) all.push(...(await open(250, `127.0.2.${address}`)));
    await using slow = await openRaw(gateway.port, { localAddress: '127.0.2.98' });
    // Its head is accepted before the others arrive.
    const headers = { 'Content-Length': '2', Expect: '100-continue' };
    slow.send(requestBytes({ method: 'POST', path: '/take', key: key.value, headers }));
    expect((await slow.next()).status).toBe(100);
    all.forEach((one, n) => {
      const { value, entry } = shares[n % shares.length] ?? key;
      one.send(requestBytes({ path: entry.project === 'line-2' ? '/wait2' : '/wait', key: value }));
    });
    await until('1,000 in flight', async () => (await gateway.call('stats', {})).inFlight === 1000);
    expectRefusal(await ok('127.0.2.99'), 'overloaded', 'keep-alive');
    const kept = await openRaw(gateway.port, { localAddress: '127.0.2.97' });
    await whileFull(kept);
    // Its body is complete only now: nothing of it has run, and nothing will.
    slow.send('{}');
    expectRefusal(await slow.next(), 'overloaded');
    await slow.closed();
    await until('the kept connection is served', async () => {
      kept.send(requestBytes({ path: '/ok', key: key.value }));
      return (await kept.next()).status === 200;
    });
    await close([...all, kept]);
    // Their runs continue without them, each until the timeout of its route.
    await until('nothing is in flight', async () => (await gateway.call('stats', {})).inFlight === 0);
    expect((await ok('127.0.2.99')).status).toBe(200);
  },
);

const take = (headers: Record<string, string>, body: string) =>
  requestBytes({ method: 'POST', path: '/take', key: key.value, headers, body });

/** A caller that is refused while too many are in flight keeps the connection, unless much of its request is unread. */
async function whileFull(kept: RawConnection): Promise<void> {
  kept.send(take({}, '{}'));
  expectRefusal(await kept.next(), 'overloaded', 'keep-alive');
  kept.send(requestBytes({ method: 'HEAD', path: '/ok', key: key.value }), { head: true });
  expect(await kept.next()).toMatchObject({ status: 503, body: Buffer.alloc(0) });
  const late = take({}, JSON.stringify('x'.repeat(10_000)));
  kept.send(late.subarray(0, 5_000));
  expectRefusal(await kept.next(), 'overloaded', 'keep-alive');
  kept.send(late.subarray(5_000));
  kept.send(requestBytes({ path: '/ok', key: key.value }));
  expectRefusal(await kept.next(), 'overloaded', 'keep-alive');

  const get = requestBytes({ path: '/ok', key: key.value });
  const many = await open(250, '127.0.2.95');
  for (const one of many) one.send(get);
  const answered = Promise.all(many.map(async (one) => expectRefusal(await one.next(), 'overloaded', 'keep-alive')));
  // A caller that waits for a paced refusal does not occupy a place.
  let most = 0;
  await until('all are answered', async () => {
    most = Math.max(most, (await gateway.call('stats', {})).inFlight);
    return many.every(({ responses }) => responses.length === 1);
  });
  await answered;
  expect(most).toBe(1000);
  await Promise.all(many.map((one) => one[Symbol.asyncDispose]()));
  await turnedAwayForGood('another request behind it', Buffer.concat([get, get]));
  await turnedAwayForGood('no HTTP behind it', Buffer.concat([get, Buffer.from('no HTTP\r\n\r\n')]));
  await turnedAwayForGood('a large body', take({ 'Content-Length': '20000' }, '{}'));
  await turnedAwayForGood('a body of unknown length', take({ 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n'));
}

async function turnedAwayForGood(what: string, bytes: Buffer): Promise<void> {
  await using one = await openRaw(gateway.port, { localAddress: '127.0.2.96' });
  one.send(bytes);
  expectRefusal(await one.next(), 'overloaded');
  expect((await one.closed()).how, what).toBe('end');
  expect(one.responses.length, what).toBe(1);
}

test(
  'all bodies together may hold 256 MiB; requests beyond that are refused, and all memory is released',
  { timeout: 60_000 },
  async () => {
    const all = await open(5, '127.0.0.22');
    const piece = Buffer.alloc(60 * MIB);
    [...shares, key].forEach(({ value, entry }, n) => {
      const path = entry.project === 'line-2' ? '/take2' : '/take';
      const headers = { 'Content-Length': String(62 * MIB) };
      all[n]?.send(requestBytes({ method: 'POST', path, key: value, headers }));
      all[n]?.send(piece);
    });
    const refused = await Promise.any(all.map((one) => one.next(30_000)));
    expectRefusal(refused, 'overloaded');
    expect((await gateway.call('stats', {})).bodyBytes).toBeLessThanOrEqual(256 * MIB);
    await close(all);
    await until('the memory is given back', async () => (await gateway.call('stats', {})).bodyBytes === 0);
    const after = await ok('127.0.0.22');
    expect([after.status, after.text()]).toEqual([200, 'ok']);
  },
);

test('unread replies may hold 256 MiB; beyond that, the address that holds most loses its oldest reply', async () => {
  const large = async (localAddress: string): Promise<RawConnection> => {
    const [one] = await open(1, localAddress);
    if (!one) throw new Error('no connection was opened');
    one.socket.pause();
    one.send(requestBytes({ path: '/large', key: key.value }));
    return one;
  };
  const made = async () => (await gateway.call('stats', {})).routes.find((one) => one.pipeline === 'large')?.calls ?? 0;
  const wait = async (count: number, localAddress: string): Promise<RawConnection[]> => {
    const readers: RawConnection[] = [];
    for (let before = await made(); readers.length < count; before++) {
      readers.push(await large(localAddress));
      await until('its reply was made', async () => (await made()) > before);
    }
    return readers;
  };
  // A caller that has disconnected occupies nothing.
  await close(await wait(8, '127.0.4.3'));
  // With its head each is a little more than a sixteenth.
  const readers = [...(await wait(9, '127.0.4.1')), ...(await wait(7, '127.0.4.2'))];
  await until('one is given up', async () => (await connections()) === readers.length - 1);
  const [oldest, ...others] = readers;
  const newest = others.at(-1);
  newest?.socket.resume();
  oldest?.socket.resume();
  expect(await oldest?.closed()).toMatchObject({ how: 'reset' });
  expect((await newest?.next())?.body.length).toBe(LARGE_MIB * MIB);
  const rows = (await gateway.journalRows()).filter((row) => row.why?.cause === 'replies_in_memory');
  expect(rows).toMatchObject([{ ip: '127.0.4.1', code: 'overloaded' }]);
  await close(others);
  expect((await ok('127.0.4.1')).status).toBe(200);
});

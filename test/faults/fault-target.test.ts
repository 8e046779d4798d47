import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call } from '#test/raw-request.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { until, within } from '#test/until.ts';
import { type Act, ACTS, type TroubledMood } from './acts.ts';
import { type FaultTarget, openFaultTarget } from './fault-target.ts';
import { createRandom } from '#test/random.ts';
import { reset } from './reset.ts';
import { createSchedule, type Schedule } from './schedule.ts';
import { startTargets } from './targets.ts';
import { bodyHash, openWitness, readWitness, type Witness } from './witness.ts';

/** The misbehaving target on its own, called by plain sockets. */
const folder = dirPerTest();
let file: string;
let witness: Witness;
let target: FaultTarget;

beforeEach(() => {
  file = join(folder.path, 'witness.jsonl');
  witness = openWitness(file);
});
afterEach(async () => {
  await target.close();
  witness.close();
});

const arrivalsNow = () => readWitness(file).filter((line) => line.kind === 'arrival');

async function open(schedule: Partial<Schedule>, moods = false): Promise<void> {
  const plain: Schedule = {
    next: () => ({ calmMs: 60_000, mood: 'busy', moodMs: 1 }),
    plan: () => ({ act: 'ok', delayMs: 0 }),
    resetsUnread: () => false,
  };
  const counters = { arrivals: 0, connections: 0 };
  const given = { ...plain, ...schedule };
  target = await openFaultTarget({ name: 'press', witness, schedule: given, good: plain, counters, moods });
}

const always = (act: Act, delayMs = 0) => open({ plan: () => ({ act, delayMs }) });
const BODY = '{"key":"k","seq":7,"poison":false}';
const REQUEST = [
  'POST /events/7 HTTP/1.1',
  'Host: a',
  'Idempotency-Key: e-7',
  `Content-Length: ${BODY.length}`,
  '',
  BODY,
].join('\r\n');

interface Ending {
  text: string;
  how: 'ended' | 'reset';
  /** The witness's lines when the first byte, or the end, arrived. */
  written: number;
}

/** Sends one request and reads to the end of the connection, whatever the target does. */
function exchange(bytes = REQUEST): Promise<Ending> {
  return new Promise((resolve) => {
    const socket = connect(target.port, '127.0.0.1', () => socket.write(bytes));
    const ending: Ending = { text: '', how: 'ended', written: -1 };
    const look = () => {
      if (ending.written < 0) ending.written = arrivalsNow().length;
    };
    socket.on('data', (chunk) => {
      look();
      ending.text += String(chunk);
      if (ending.text.endsWith('}')) socket.end();
    });
    socket.on('error', () => (ending.how = 'reset'));
    socket.on('close', () => {
      look();
      resolve(ending);
    });
  });
}

test('a request is in the witness file with all its identifiers before its response is sent', async () => {
  await always('ok');
  const { text, written } = await exchange();
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\{"took":"k\/7"\}$/);
  expect(written).toBe(1);
  expect(arrivalsNow()).toMatchObject([
    {
      n: 1,
      target: 'press',
      id: 'e-7',
      path: '/events/7',
      event: { key: 'k', seq: 7, poison: false },
      body: bodyHash(Buffer.from(BODY)),
      act: 'ok',
    },
  ]);
});

test('an aborted request does not count as received', async () => {
  await always('ok');
  const socket = connect(target.port, '127.0.0.1', () => socket.write(REQUEST.slice(0, -3), () => socket.destroy()));
  await until('the target has seen it go', () => readWitness(file).some(({ kind }) => kind === 'closed'));
  expect(arrivalsNow()).toEqual([]);
});

const whole = (status: number) => new RegExp(`^HTTP/1\\.1 ${status} [^]*\\{"took":"k/7"\\}$`);
const NOTHING = /^$/;
const HALF = /^HTTP\/1\.1 200 OK\r\n[^]*\{"took":"k\/7"$/;
const LOOK: Record<Act, { text: RegExp; how?: 'ended' | 'reset' }> = {
  ok: { text: whole(200) },
  'ok-late': { text: whole(200) },
  slow: { text: whole(200) },
  'ok-until-close': { text: /^(?![^]*content-length)HTTP\/1\.1 200 [^]*\{"took":"k\/7"\}$/i },
  'ok-after-interim': { text: /^HTTP\/1\.1 103 [^]*HTTP\/1\.1 201 [^]*\{"took":"k\/7"\}$/ },
  unread: { text: whole(200) },
  reset: { text: NOTHING, how: 'reset' },
  'half-close': { text: NOTHING, how: 'ended' },
  garbage: { text: /^this is no answer/, how: 'ended' },
  'reset-after-head': { text: /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/, how: 'reset' },
  'reset-in-body': { text: HALF, how: 'reset' },
  'half-close-in-body': { text: HALF, how: 'ended' },
  'status-401': { text: whole(401) },
  'status-408': { text: whole(408) },
  'status-429': { text: /^HTTP\/1\.1 429 [^]*\r\nRetry-After: 1\r\n/ },
  'status-500': { text: whole(500) },
  'status-502': { text: whole(502) },
  'status-503': { text: whole(503) },
  poison: { text: whole(400) },
  'poison-unread': { text: whole(400) },
};

test.each(Object.keys(ACTS) as Act[])('a caller receives "%s" as intended', async (act) => {
  await always(act);
  const seen = await exchange();
  const { text, how } = LOOK[act];
  expect(seen.text).toMatch(text);
  if (how !== undefined) expect(seen.how).toBe(how);
  expect(seen.written).toBe(1);
});

test('a late response without a receiver is reported as such', async () => {
  await always('slow', 100);
  const socket = connect(target.port, '127.0.0.1', () => socket.write(REQUEST));
  await until('it arrived', () => arrivalsNow().length === 1);
  socket.destroy();
  await until('its answer is due', () => readWitness(file).some((line) => line.kind === 'late-answer' && line.gone));
  expect((await call(target.port)).status).toBe(200);
  expect(readWitness(file).findLast((line) => line.kind === 'late-answer')).toMatchObject({ n: 2, gone: false });
});

test('a connection reset before it is read leaves no arrival', async () => {
  await open({ resetsUnread: () => true });
  expect(await exchange()).toMatchObject({ text: '', how: 'reset' });
  expect(arrivalsNow()).toEqual([]);
  await until('its end is written', () => readWitness(file).length === 2);
  expect(readWitness(file).map(({ kind }) => kind)).toEqual(['reset-unread', 'closed']);
});

test('the port is closed in the refusing mood, and open again afterwards', async () => {
  let turns = 0;
  const next = () => ({ calmMs: turns++ === 0 ? 0 : 60_000, mood: 'refuses' as TroubledMood, moodMs: 300 });
  await open({ next }, true);
  await until('it refuses', async () => (await exchange()).text === '');
  await until('it listens again', async () => (await exchange()).text !== '');
});

test('the request to behave ends every mood', async () => {
  const next = () => ({ calmMs: 0, mood: 'busy' as TroubledMood, moodMs: 60_000 });
  await open({ next, plan: (mood) => ({ act: mood === 'calm' ? 'ok' : 'status-429', delayMs: 0 }) }, true);
  await until('it is busy', async () => (await call(target.port)).status === 429);
  await target.behave();
  expect((await call(target.port)).status).toBe(200);
});

test('the same seed gives the same faults, and every mood comes once before any is repeated', () => {
  const draw = (seed: number) => {
    const schedule = createSchedule({ random: createRandom(seed, 'press'), timeoutMs: 500 });
    return Array.from({ length: 200 }, () => [schedule.next(), schedule.plan('calm', false)]);
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  const schedule = createSchedule({ random: createRandom(3, 'press'), timeoutMs: 500 });
  expect(new Set(Array.from({ length: 8 }, () => schedule.next().mood)).size).toBe(8);
});

test('poison is refused or deferred, never accepted', () => {
  const schedule = createSchedule({ random: createRandom(1, 'press'), timeoutMs: 500, faults: 20 });
  const acts = Array.from({ length: 2000 }, () => schedule.plan('calm', true));
  for (const { act, delayMs } of acts) {
    expect(ACTS[act].takes, act).toBe(false);
    expect(delayMs).toBe(0);
  }
  expect(acts.some(({ act }) => act === 'poison-unread')).toBe(true);
});

test('the process of the targets reports its ports, behaves as requested, and leaves a complete file', async () => {
  await open({});
  const own = join(folder.path, 'process.jsonl');
  const names = ['press', 'oven'];
  const targets = await startTargets({
    seed: 1,
    witnessFile: own,
    timeoutMs: 500,
    targets: names.map((name) => ({ name, faults: 0, moods: true })),
  });
  await targets.behave();
  for (const name of names) expect((await call(targets.ports[name] ?? 0)).status).toBe(200);
  await targets.stop();
  expect(readFileSync(own, 'utf8').endsWith('\n')).toBe(true);
  const arrived = readWitness(own).filter((line) => line.kind === 'arrival');
  expect(arrived.map(({ target: name, n }) => [name, n])).toEqual([
    ['press', 1],
    ['oven', 2],
  ]);
});

test('a connection that is already closing closes when it is reset', async () => {
  await always('ok');
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  const [accepted] = (await once(server, 'connection')) as [Socket];
  accepted.on('error', () => {}).end('the last words');
  const closed = new Promise((resolve) => accepted.once('close', resolve));
  reset(accepted);
  await within(5000, 'its end', closed);
  socket.destroy();
  server.close();
  await once(server, 'close');
});

import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { EgressEventDetail, EgressState } from '#common/model/egress.ts';
import { inTransaction } from '#common/node/transaction.ts';
import type { HttpResult } from '../http/contract.ts';
import { TOO_LATE } from './limits.ts';
import {
  act,
  answered,
  eventAct,
  list,
  target,
  worlds,
  TEST_ORIGIN,
  type TestWorld,
  UNREACHABLE,
} from './core.testing.ts';
import { OutboxStore } from './store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { open: world, close } = worlds();
afterEach(close);

describe('delivery', () => {
  test('the node receives the response, and nothing is left', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(201, { 'content-type': 'application/json' }, '{"ok":1}');
    const id = await at.put({ body: '{"a":1}', path: '/in/7?x=1' });
    expect(at.outcome(id)).toMatchObject({
      kind: 'answered',
      status: 201,
      headers: { 'content-type': 'application/json' },
    });
    expect(at.net.calls[0]).toMatchObject({
      origin: TEST_ORIGIN,
      method: 'POST',
      path: '/in/7?x=1',
      text: '{"a":1}',
      timeoutMs: 5_000,
    });
    expect(at.net.calls[0]?.headers).toEqual({
      Authorization: 'Bearer old',
      'Content-Type': 'application/json',
      'Idempotency-Key': id,
    });
    await at.pass(1_000);
    expect(await target(at)).toMatchObject({
      queued: 0,
      dead: 0,
      bytes: 0,
      acceptedPerMinute: 1,
      deliveredPerMinute: 1,
    });
  });

  test('an event is on disk before its first attempt', async () => {
    const at = await world();
    at.line();
    const seen: unknown[] = [];
    at.net.answer = () => {
      const other = new DatabaseSync(at.file, { readOnly: true });
      seen.push(other.prepare('SELECT COUNT(*) AS n FROM events').get()?.['n']);
      other.close();
      return answered(200);
    };
    await at.put();
    expect(seen).toEqual([1]);
  });

  test('events of a target are sent one after the other, however slow it is', async () => {
    const at = await world();
    at.line();
    let under = 0;
    at.net.answer = async () => {
      expect(++under).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      return answered(200);
    };
    for (let n = 0; n < 20; n++) void at.put({ body: `${n}` });
    await at.rest();
    await at.pass(100);
    expect(at.net.texts).toEqual(Array.from({ length: 20 }, (_, n) => `${n}`));
  });

  test('ordering keys do not wait for each other, and each keeps its order', async () => {
    const at = await world();
    at.line();
    at.net.answer = ({ text }) => (text.startsWith('a') ? answered(500) : answered(200));
    for (const body of ['a1', 'b1', 'a2', 'b2']) await at.put({ body, orderingKey: body.charAt(0) });
    expect(at.net.texts).toEqual(['a1', 'b1', 'b2']);
    at.net.answer = () => answered(200);
    await at.pass(1_000);
    expect(at.net.texts).toEqual(['a1', 'b1', 'b2', 'a1', 'a2']);
  });

  test("the author's own Content-Type is used, and traceparent is passed on", async () => {
    const at = await world();
    const line = at.line({ headers: { 'content-type': 'application/vnd.mes+json' } });
    const event = { path: '/', contentType: 'application/json', body: null, orderingKey: null };
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    at.core().handle({
      kind: 'put',
      events: [
        { ...event, traceparent, ticket: 99, id: 'e', line, acceptedAt: 0, putAtMs: at.clock.sharedMs(), waitMs: 1 },
      ],
    });
    await at.rest();
    expect(at.net.calls[0]?.headers).toEqual({
      'content-type': 'application/vnd.mes+json',
      'Idempotency-Key': 'e',
      traceparent,
    });
  });
});

describe('a target that does not accept an event', () => {
  test('gets it again after 1 s, doubling to 5 min, always with the same Idempotency-Key', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => UNREACHABLE;
    const id = await at.put({ body: 'x' });
    await at.pass(40 * MINUTE);
    const gaps = at.net.calls
      .map(({ atMs }) => atMs / 1000)
      .flatMap((s, n, all) => (n === 0 ? [] : [s - (all[n - 1] ?? 0)]));
    expect(gaps.slice(0, 12)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    expect(new Set(at.net.keys('x'))).toEqual(new Set([id]));
    expect(await target(at)).toMatchObject({
      queued: 1,
      dead: 0,
      state: 'open',
      reason: 'nobody listens there (ECONNREFUSED)',
    });
  });

  test('counts one attempt for each time that it was sent, but doubles the delay only once', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => ({ ...answered(503), repeated: at.net.calls.length <= 2 });
    await at.put({ body: 'x' });
    await at.pass(20_000);
    expect(at.net.calls.map(({ atMs }) => (atMs - (at.net.calls[0]?.atMs ?? 0)) / 1000)).toEqual([0, 1, 3, 7, 15]);
    expect(await list(at, 'queued')).toMatchObject([{ attempts: 7, lastAnswer: { status: 503 } }]);
    at.net.answer = () => ({ ...answered(400), repeated: true });
    await at.pass(20_000);
    expect(await list(at, 'dead')).toMatchObject([{ attempts: 9, lastAnswer: { status: 400 } }]);
  });

  test('is retried for hours while nobody responds', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => UNREACHABLE;
    for (const body of ['1', '2', '3']) await at.put({ body });
    await at.pass(5 * HOUR);
    at.net.calls.length = 0;
    at.net.answer = () => answered(200);
    await at.pass(6 * MINUTE);
    expect(at.net.texts).toEqual(['1', '2', '3']);
  });

  test('gets one call while it is unreachable, not one for each ordering key', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => UNREACHABLE;
    for (let n = 0; n < 50; n++) await at.put({ body: `${n}`, orderingKey: `k${n}` });
    at.net.calls.length = 0;
    await at.pass(30_000);
    expect(at.net.calls.length).toBeLessThan(8);
    at.net.answer = () => answered(200);
    await at.pass(5 * MINUTE);
    expect((await target(at)).queued).toBe(0);
  });

  test('gets no event before Retry-After, also after a restart', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(429, { 'retry-after': '120' });
    await at.put({ body: 'x' });
    await at.pass(60_000);
    await at.reopen();
    expect(at.net.calls).toHaveLength(1);
    at.net.answer = () => answered(200);
    await at.pass(59_000);
    expect(at.net.calls).toHaveLength(1);
    await at.pass(2_000);
    expect(at.net.calls).toHaveLength(2);
  });

  test('does not wait for a clock that is set back by a year', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(503, { 'retry-after': '600' });
    await at.put();
    at.clock.setWall(at.clock.wallMs() - 365 * 24 * HOUR);
    await at.reopen();
    at.net.answer = () => answered(200);
    await at.pass(HOUR);
    expect((await target(at)).queued).toBe(0);
  });

  test.each([401, 403])('%i pauses it until a user resumes it; nothing is lost', async (status) => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(status, {}, 'token expired');
    const id = await at.put({ body: '1' });
    expect(at.outcome(id)).toEqual({ kind: 'queued', id });
    const second = await at.put({ body: '2' });
    expect(at.outcome(second)).toEqual({ kind: 'queued', id: second });
    await at.pass(HOUR);
    expect(at.net.calls).toHaveLength(1);
    await at.reopen();
    expect(await target(at)).toMatchObject({
      state: 'paused',
      pausedBy: null,
      queued: 2,
      reason: `it refuses calls: it answered ${status}`,
    });
    at.net.answer = () => answered(200);
    await act(at, 'resume');
    await at.pass(1_000);
    expect(at.net.texts).toEqual(['1', '1', '2']);
  });

  test('a token of a revision that did not start is not sent: the token of the running revision applies again', async () => {
    const at = await world();
    const running = at.line();
    at.net.answer = () => UNREACHABLE;
    await at.put({ line: running, body: 'waits' });
    const refused = at.line({ headers: { Authorization: 'Bearer wrong' } });
    at.core().handle({ kind: 'release', handle: refused });
    at.net.answer = () => answered(200);
    await at.put({ line: running, body: 'next' });
    await at.pass(5_000);
    const sent = at.net.calls.map(({ text, headers }) => [text, headers['Authorization']]);
    expect(sent.slice(-2)).toEqual([
      ['waits', 'Bearer old'],
      ['next', 'Bearer old'],
    ]);
    const next = at.line({ headers: { Authorization: 'Bearer new' } });
    at.core().handle({ kind: 'release', handle: running });
    await at.put({ line: next, body: 'new' });
    expect(at.net.calls.at(-1)?.headers['Authorization']).toBe('Bearer new');
  });

  test('a new token applies to waiting events', async () => {
    const at = await world();
    at.line();
    at.net.answer = ({ headers }) => answered(headers['Authorization'] === 'Bearer new' ? 200 : 401);
    await at.put({ body: '1' });
    at.line({ headers: { Authorization: 'Bearer new' } });
    await act(at, 'resume');
    await at.pass(1_000);
    expect((await target(at)).queued).toBe(0);
  });

  test('waiting events are sent with their headers after their pipeline has stopped, also after a restart', async () => {
    const at = await world();
    const handle = at.line();
    at.net.answer = () => UNREACHABLE;
    const [first, second] = [await at.put({ body: '1' }), await at.put({ body: '2' })];
    at.core().handle({ kind: 'release', handle });
    at.net.answer = () => answered(200);
    await at.pass(5_000);
    await at.reopen();
    await at.pass(5_000);
    const sent = at.net.calls.slice(-2).map(({ text, headers }) => [text, headers['Authorization']]);
    expect(sent).toEqual([
      ['1', 'Bearer old'],
      ['2', 'Bearer old'],
    ]);
    expect([first === second, (await target(at)).queued]).toEqual([false, 0]);
  });

  test('an address that is not allowed pauses it with the reason', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => ({
      kind: 'refused',
      text: 'mes:80 is an address of this machine',
      durationMs: 0,
      repeated: false,
    });
    await at.put();
    expect(await target(at)).toMatchObject({
      state: 'paused',
      reason: 'mes:80 is an address of this machine',
      queued: 1,
    });
  });
});

describe('dead letters', () => {
  test.each([400, 302, 404, 422])(
    'a response of %i creates one at once, and the next event follows',
    async (status) => {
      const at = await world();
      at.line();
      at.net.answer = ({ text }) => answered(text === 'bad' ? status : 200, {}, 'quantity must be over 0');
      const id = await at.put({ body: 'bad' });
      await at.put({ body: 'good' });
      expect(at.net.texts).toEqual(['bad', 'good']);
      expect(at.outcome(id)).toEqual({ kind: 'dead', id, text: `it answered ${status}` });
      const [dead] = await list(at, 'dead');
      expect(dead).toMatchObject({
        id,
        state: 'dead',
        pipeline: 'orders',
        node: 'push',
        attempts: 1,
        reason: `it answered ${status}`,
        lastAnswer: { status, text: 'quantity must be over 0' },
        payload: { text: 'bad', path: '/in', idempotencyKey: id },
      });
    },
  );

  test('three in a row pause the target, but not if one event is delivered between them', async () => {
    const at = await world();
    at.line();
    at.net.answer = ({ text }) => answered(text === 'ok' ? 200 : 400);
    for (const body of ['x', 'x', 'ok', 'x', 'x']) await at.put({ body });
    expect((await target(at)).state).toBe('open');
    await at.reopen();
    await at.put({ body: 'x' });
    expect(await target(at)).toMatchObject({
      state: 'paused',
      dead: 5,
      reason: expect.stringContaining('3 events in a row'),
    });
  });

  test('an event at the head that got 500 for 15 minutes becomes one when the next event is accepted, and not before', async () => {
    const at = await world();
    at.line();
    at.net.answer = ({ text }) => answered(text === 'poison' ? 500 : 200);
    const id = await at.put({ body: 'poison' });
    await at.put({ body: 'next' });
    await at.pass(14 * MINUTE);
    expect(at.net.texts).not.toContain('next');
    await at.pass(6 * MINUTE);
    expect(at.net.texts.filter((text) => text === 'next')).toHaveLength(1);
    expect((await list(at, 'dead')).map((event) => event.id)).toEqual([id]);
    expect(await target(at)).toMatchObject({ queued: 0, state: 'open' });
  });

  test('a target that answers everything with 500 loses nothing', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(500);
    await at.put({ body: '1' });
    await at.put({ body: '2' });
    await at.pass(4 * HOUR);
    expect(await target(at)).toMatchObject({ queued: 2, dead: 0 });
    at.net.calls.length = 0;
    at.net.answer = () => answered(200);
    await at.pass(6 * MINUTE);
    expect(at.net.texts).toEqual(['1', '2']);
  });

  test('network errors and timeouts never create one', async () => {
    const at = await world();
    at.line();
    let call = 0;
    at.net.answer = ({ text }): HttpResult =>
      text === 'next'
        ? answered(200)
        : call++ % 2 === 0
          ? UNREACHABLE
          : { kind: 'timeout', text: 't', durationMs: 1, repeated: false };
    await at.put({ body: 'head' });
    await at.put({ body: 'next' });
    await at.pass(5 * HOUR);
    expect(await target(at)).toMatchObject({ queued: 2, dead: 0 });
    expect(at.net.texts).not.toContain('next');
  });

  test('a retried one returns to its place with its key, and an edited one is a new event to its receiver', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(400);
    const first = await at.put({ body: '1' });
    const second = await at.put({ body: '2' });
    await act(at, 'pause');
    await at.put({ body: '3' });
    await eventAct(at, first, 'retry');
    await at.ask('egress-edit', { event: second, edit: { text: '2 edited', path: '/other' } });
    await eventAct(at, second, 'retry');
    at.net.calls.length = 0;
    at.net.answer = () => answered(200);
    await act(at, 'resume');
    await at.pass(1_000);
    expect(at.net.texts).toEqual(['1', '2 edited', '3']);
    expect(at.net.calls.map(({ headers }) => headers['Idempotency-Key'])).toEqual([
      first,
      `${second}.1`,
      expect.any(String),
    ]);
    expect(at.net.calls[1]?.path).toBe('/other');
    expect(await target(at)).toMatchObject({ queued: 0, dead: 0, bytes: 0 });
  });

  test('a discarded one is removed, and a queued event only while its target is paused', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(400);
    const dead = await at.put({ body: '1' });
    await eventAct(at, dead, 'discard');
    at.net.answer = () => UNREACHABLE;
    const queued = await at.put({ body: '2' });
    await expect(eventAct(at, queued, 'discard')).rejects.toThrow('conflict: The event is still queued');
    await act(at, 'pause');
    await eventAct(at, queued, 'discard');
    expect(await target(at)).toMatchObject({ queued: 0, dead: 0, bytes: 0 });
    await expect(eventAct(at, dead, 'retry')).rejects.toThrow('unknown');
  });

  test('exported and imported elsewhere, they wait there as dead letters, each once, until their pipeline runs', async () => {
    const here = await world();
    here.line();
    here.net.answer = () => answered(400);
    await here.put({ body: 'a', orderingKey: 'k' });
    await here.put({ body: null });
    const [edited] = await list(here, 'dead');
    await here.ask('egress-edit', { event: edited?.id, edit: { text: 'b' } });
    const events = await list(here, 'dead');
    const there = await world();
    expect(await there.ask('egress-import', { events })).toEqual({ imported: 2, skipped: 0 });
    expect(await there.ask('egress-import', { events })).toEqual({ imported: 0, skipped: 2 });
    const [first] = events;
    if (!first) throw new Error('nothing was exported');
    await expect(eventAct(there, first.id, 'retry')).rejects.toThrow('start the pipeline "orders"');
    there.line();
    for (const { id } of events) await eventAct(there, id, 'retry');
    await there.rest();
    expect(there.net.texts).toEqual(['b', '']);
    expect(there.net.calls[0]).toMatchObject({ path: '/in', method: 'POST' });
    expect(there.net.calls.map(({ headers }) => headers['Idempotency-Key'])).toEqual([`${first.id}.1`, events[1]?.id]);
  });
});

describe('a node that waits', () => {
  test('receives `queued` at once when its event cannot be tried in time', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => UNREACHABLE;
    const first = await at.put({ waitMs: 500 });
    expect(at.outcome(first)).toEqual({ kind: 'queued', id: first });
    const patient = await at.put({ waitMs: 3_000 });
    expect(at.outcome(patient)).toBeUndefined();
    at.net.answer = () => answered(200);
    await at.pass(1_000);
    expect(at.outcome(patient)).toMatchObject({ kind: 'answered', status: 200 });
  });

  test('whose commit took too long and which has failed has its event removed before it is sent', async () => {
    const at = await world();
    const line = at.line();
    const event = { path: '/', contentType: null, body: null, orderingKey: null, traceparent: null };
    const putAtMs = at.clock.sharedMs() - 6_000;
    at.core().handle({
      kind: 'put',
      events: [{ ...event, ticket: 9, id: 'e', line, acceptedAt: 0, putAtMs, waitMs: 9_000 }],
    });
    await at.rest();
    expect(at.net.calls).toHaveLength(0);
    expect(at.told).toContainEqual({ kind: 'outcome', ticket: 9, outcome: { kind: 'unavailable', text: TOO_LATE } });
    expect(await target(at)).toMatchObject({ queued: 0, bytes: 0 });
    expect(await list(at, 'queued')).toEqual([]);
  });
});

describe('a disk that hung until nodes timed out', () => {
  const event = { path: '/', contentType: null, body: null, orderingKey: null, traceparent: null };
  const put = (at: TestWorld, line: number, putAtMs: number, count = 300) => {
    const ids = Array.from({ length: count }, (_, n) => ({ ticket: 1_000 + n, id: `e${n}` }));
    const events = ids.map((names) => ({ ...event, ...names, line, acceptedAt: 0, putAtMs, waitMs: 9_000 }));
    at.core().handle({ kind: 'put', events });
  };
  const isTold = (at: TestWorld) => at.told.filter((message) => message.kind === 'outcome');

  test('does not store events that are already late', async () => {
    const at = await world();
    const line = at.line();
    await at.rest();
    const before = commits(at.file);
    put(at, line, at.clock.sharedMs() - 6_000);
    await at.rest();
    expect(commits(at.file) - before).toBe(0);
    expect(isTold(at)).toHaveLength(300);
    expect(await list(at, 'queued')).toEqual([]);
  });

  test('removes the late events with one commit, and later ones are served', async () => {
    const at = await world();
    const line = at.line();
    await at.rest();
    const before = commits(at.file);
    put(at, line, at.clock.sharedMs());
    const nowMs = at.clock.sharedMs();
    const clock = vi.spyOn(at.clock, 'sharedMs');
    const commit = vi.spyOn(OutboxStore.prototype, 'atomically');
    commit.mockImplementationOnce(function (this: OutboxStore, work) {
      clock.mockReturnValue(nowMs + 6_000);
      return inTransaction(this.db, work);
    });
    await at.rest();
    expect(commits(at.file) - before).toBeLessThan(5);
    expect(at.net.calls).toEqual([]);
    expect(isTold(at)).toHaveLength(300);
    expect(await target(at)).toMatchObject({ queued: 0, bytes: 0 });
    put(at, line, nowMs + 6_000, 1);
    await at.rest();
    expect(at.net.calls).toHaveLength(1);
    vi.restoreAllMocks();
  });
});

describe('limits', () => {
  test('the number of events is limited, including dead ones, and refused ones are reported and not stored', async () => {
    const at = await world({ eventsMax: 3 });
    at.line();
    at.net.answer = () => answered(400);
    await at.put();
    at.net.answer = () => UNREACHABLE;
    await at.put();
    await at.put();
    const over = await at.put();
    expect(at.outcome(over)).toEqual({ kind: 'full', text: 'the outbox is full: it holds 3 of 3 events' });
    at.net.answer = () => answered(200);
    await at.pass(5_000);
    const again = await at.put();
    expect(at.outcome(again)).toMatchObject({ kind: 'answered' });
  });

  test('bytes are limited too, and the disk keeps its reserve', async () => {
    const at = await world({ bytesMax: 1024 ** 2 });
    at.line();
    at.net.answer = () => UNREACHABLE;
    const big = 'x'.repeat(600 * 1024);
    await at.put({ body: big });
    expect(at.outcome(await at.put({ body: big }))).toMatchObject({ kind: 'full' });
    const full = await world({ diskReserveBytes: 2 ** 60 });
    full.line();
    const refused = await full.put();
    expect(full.outcome(refused)).toMatchObject({ kind: 'full', text: expect.stringContaining('the disk has') });
    expect((await full.ask<EgressState>('egress-state', {})).buffer.trouble).toContain('the disk has');
  });

  test('a backlog drains at its rate, and new events do not wait for it', async () => {
    const at = await world({ drainRate: 10 });
    at.line();
    at.line({ node: 'other', origin: 'http://127.0.0.1:10' });
    await act(at, 'pause');
    for (let n = 0; n < 100; n++) await at.put({ body: `${n}` });
    await at.pass(10_000);
    await act(at, 'resume');
    await at.pass(5_000);
    expect(at.net.calls.length).toBeGreaterThanOrEqual(45);
    expect(at.net.calls.length).toBeLessThanOrEqual(55);
    const fresh = await at.put({ line: 2, body: 'fresh' });
    expect(at.outcome(fresh)).toMatchObject({ kind: 'answered' });
    await at.pass(60_000);
    expect((await target(at)).queued).toBe(0);
  });

  test('"full in" is set when more arrives than leaves', async () => {
    const at = await world({ eventsMax: 1_000 });
    at.line();
    at.net.answer = () => UNREACHABLE;
    expect((await target(at)).fullInSeconds).toBeNull();
    for (let n = 0; n < 60; n++) {
      await at.put({ body: 'x' });
      await at.pass(1_000);
    }
    const { fullInSeconds } = await target(at);
    expect(fullInSeconds).toBeGreaterThan(880);
    expect(fullInSeconds).toBeLessThan(1_000);
  });

  test('an edit that does not fit into the buffer is refused', async () => {
    const at = await world({ bytesMax: 1024 ** 2 });
    at.line();
    at.net.answer = () => answered(422);
    const event = await at.put();
    const edit = at.ask('egress-edit', { event, edit: { text: 'x'.repeat(4 * 1024 ** 2) } });
    await edit.catch(() => undefined);
    const { buffer } = await at.ask<EgressState>('egress-state', {});
    expect(buffer.bytes).toBeLessThanOrEqual(1024 ** 2);
    await expect(edit).rejects.toThrow('full');
  });

  test('a refused import leaves nothing behind that keeps new targets out', async () => {
    const at = await world();
    const refused = at.ask('egress-import', { events: Array.from({ length: 1001 }, (_, index) => imported(index)) });
    await expect(refused).rejects.toThrow('conflict');
    const line = at.line();
    const id = await at.put({ line });
    expect(at.outcome(id)).toMatchObject({ kind: 'answered', status: 200 });
  });

  test('targets of imported events that were all discarded do not keep new targets out', async () => {
    const at = await world();
    await at.ask('egress-import', { events: Array.from({ length: 1000 }, (_, index) => imported(index)) });
    const list = { state: 'dead', target: null, cursor: null, limit: 1000, payloads: false };
    const { items } = await at.ask<{ items: EgressEventDetail[] }>('egress-events', list);
    for (const { id } of items)
      at.core().handle({ kind: 'call', id: 0, call: 'egress-event-act', args: { event: id, act: 'discard' } });
    await at.rest();
    expect((await at.ask<EgressState>('egress-state', {})).buffer.events).toBe(0);
    const line = at.line({ origin: `${TEST_ORIGIN}9` });
    const id = await at.put({ line });
    expect(at.outcome(id)).toMatchObject({ kind: 'answered', status: 200 });
  });
});

describe('the file', () => {
  test('contains no unencrypted bodies, paths, headers, ordering keys or replies', async () => {
    const at = await world();
    at.line({ headers: { Authorization: 'Bearer PINEAPPLE' } });
    at.net.answer = () => answered(400, {}, 'PINEAPPLE is wrong');
    await at.put({ body: '{"x":"PINEAPPLE"}', path: '/PINEAPPLE', orderingKey: 'PINEAPPLE' });
    await act(at, 'pause');
    await at.put({ body: '{"x":"PINEAPPLE"}', path: '/PINEAPPLE', orderingKey: 'PINEAPPLE' });
    await at.pass(1_000);
    for (const side of ['', '-wal']) expect(readFileSync(at.file + side).includes('PINEAPPLE')).toBe(false);
  });

  test('is accessible only to its owner', async () => {
    const at = await world();
    const { statSync } = await import('node:fs');
    for (const side of ['', '-wal', '-shm']) expect(statSync(at.file + side).mode & 0o777).toBe(0o600);
  });

  test('that was encrypted with another key is refused and left unchanged', async () => {
    const at = await world();
    at.line();
    const { OutboxCore } = await import('./core.ts');
    const { testSettings } = await import('./core.testing.ts');
    const other = { file: at.file, key: Buffer.alloc(32, 8), settings: testSettings(), tell: () => undefined };
    expect(() => new OutboxCore(other)).toThrow('sealed with another key');
  });

  test('an event that was altered in it becomes a dead letter, and the others are delivered', async () => {
    const at = await world();
    at.line();
    await act(at, 'pause');
    const bad = await at.put({ body: '1' });
    await at.put({ body: '2' });
    const db = new DatabaseSync(at.file);
    db.prepare('UPDATE events SET sealed = (SELECT sealed FROM events WHERE seq = 2) WHERE seq = 1').run();
    db.close();
    await act(at, 'resume');
    await at.rest();
    expect(at.net.texts).toEqual(['2']);
    const { items } = await at.ask<{ items: EgressEventDetail[] }>('egress-events', {
      state: 'dead',
      target: null,
      cursor: null,
      limit: 9,
      payloads: false,
    });
    expect(items.map(({ id }) => id)).toEqual([bad]);
  });

  test('an event whose delivery could not be recorded is not sent again while the gateway runs', async () => {
    const at = await world();
    at.line();
    const blocker = new DatabaseSync(at.file);
    at.net.answer = () => {
      if (!blocker.isTransaction) blocker.exec('BEGIN IMMEDIATE');
      return answered(200);
    };
    await at.put({ body: '1' });
    await at.pass(100);
    expect(await at.put({ body: '2' }).then((id) => at.outcome(id))).toMatchObject({ kind: 'unavailable' });
    await at.pass(5_000);
    expect(at.net.texts).toEqual(['1']);
    blocker.exec('COMMIT');
    blocker.close();
    await at.pass(2_000);
    expect(await target(at)).toMatchObject({ queued: 0, bytes: 0 });
    at.net.answer = () => answered(200);
    expect(await at.put({ body: '3' }).then((id) => at.outcome(id))).toMatchObject({ kind: 'answered' });
    expect(at.net.texts).toEqual(['1', '3']);
  });

  test('pages of events list all of them, dead ones first', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(400);
    const dead = [await at.put(), await at.put()];
    await act(at, 'pause');
    const queued = [await at.put(), await at.put(), await at.put()];
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: EgressEventDetail[]; next: string | null } = await at.ask('egress-events', {
        state: null,
        target: null,
        cursor,
        limit: 2,
        payloads: false,
      });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== null);
    expect(ids).toEqual([...dead, ...queued]);
  });
});

describe('a rehearsal', () => {
  test('blocks the target for a minute and proves that nothing was lost or reordered', async () => {
    const at = await world();
    at.line();
    await act(at, 'rehearse');
    for (let n = 0; n < 30; n++) {
      const id = await at.put({ body: `${n}`, orderingKey: n % 3 === 0 ? null : `k${n % 3}` });
      expect(at.outcome(id)).toEqual({ kind: 'queued', id });
      await at.pass(1_000);
    }
    expect(at.net.calls).toHaveLength(0);
    expect(await target(at)).toMatchObject({
      state: 'open',
      queued: 30,
      rehearsal: { state: 'blocked', accepted: 30, waiting: 30 },
    });
    await at.pass(40_000);
    const { rehearsal, queued } = await target(at);
    expect(queued).toBe(0);
    expect(rehearsal).toMatchObject({
      state: 'done',
      by: 'J. Keller',
      accepted: 30,
      waitedBefore: 0,
      delivered: 30,
      backlogMost: 30,
      waiting: 0,
      lost: 0,
      reordered: 0,
    });
    expect(rehearsal?.samples.length).toBeGreaterThan(50);
  });

  test('would show a missing event', async () => {
    const at = await world();
    at.line();
    await act(at, 'rehearse');
    for (const body of ['1', '2', '3']) await at.put({ body });
    const db = new DatabaseSync(at.file);
    db.exec('DELETE FROM events WHERE seq = 2');
    db.close();
    await at.pass(70_000);
    expect((await target(at)).rehearsal).toMatchObject({ state: 'done', delivered: 2, lost: 1 });
  });

  test('is refused on a paused target, and while another one runs', async () => {
    const at = await world();
    at.line();
    await act(at, 'rehearse');
    await expect(act(at, 'rehearse')).rejects.toThrow('conflict');
    await at.pass(70_000);
    await act(at, 'pause');
    await expect(act(at, 'rehearse')).rejects.toThrow('resume it before');
  });
});

describe('a paused target', () => {
  test('tries one event when a user asks, and stays paused', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(401);
    await at.put({ body: '1' });
    await at.put({ body: '2' });
    at.net.answer = () => answered(200);
    expect(await act(at, 'try')).toMatchObject({ state: 'paused', queued: 1, lastAnswer: { status: 200 } });
    await at.pass(HOUR);
    expect(at.net.texts).toEqual(['1', '1']);
    at.net.answer = () => answered(401);
    expect(await act(at, 'try')).toMatchObject({ state: 'paused', queued: 1, lastAnswer: { status: 401 } });
    await act(at, 'resume');
    await at.rest();
    await expect(act(at, 'try')).resolves.toMatchObject({ state: 'paused' });
  });

  test('is reported when it is paused and when it is resumed', async () => {
    const at = await world();
    at.line();
    await at.pass(1_000);
    await act(at, 'pause');
    await act(at, 'pause');
    await at.pass(5_000);
    await act(at, 'resume');
    await at.pass(5_000);
    const news = at.told.flatMap((message) => (message.kind === 'news' ? [message.news.paused] : []));
    expect(news).toEqual([[], [{ target: TEST_ORIGIN, reason: 'J. Keller paused it', by: 'J. Keller' }], []]);
  });
});

function imported(index: number) {
  const payload = { idempotencyKey: 'x', orderingKey: null, path: '/', contentType: null, text: null, base64: null };
  return {
    id: `import-${index}`,
    origin: `http://host-${index}.example:80`,
    project: 'p',
    pipeline: 'q',
    node: 'n',
    method: 'POST',
    acceptedAt: '2026-01-01T00:00:00Z',
    payload: { ...payload, traceparent: null },
  };
}

/** Commits in the WAL: each ends with a frame that contains the size of the file after it. */
function commits(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  let count = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) if (log.readUInt32BE(at + 4) > 0) count += 1;
  return count;
}

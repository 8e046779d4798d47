import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import type { EgressState } from '#common/model/egress.ts';
import type { HttpResult } from '../http/contract.ts';
import { createLogger } from '#common/node/log.ts';
import { OutboxCore } from './core.ts';
import {
  act,
  answered,
  eventAct,
  list,
  target,
  worlds,
  TEST_ORIGIN,
  testSettings,
  type TestWorld,
  UNREACHABLE,
} from './core.testing.ts';
import { openOutbox } from './outbox.ts';
import { openFile } from './schema.ts';
import { OutboxStore } from './store.ts';

/** Races and limits of the delivery dispatcher and its components: each test is a bug that existed once. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { open: world, close, abandon } = worlds();
afterEach(close);

/** Bytes of buffers in use. */
async function memory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().arrayBuffers;
}

function gate() {
  const { promise, resolve } = Promise.withResolvers<HttpResult>();
  return { promise, resolve };
}

describe('a dead letter that is retried while a later event is being sent', () => {
  test('is sent, and so is the event after it', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(404);
    const dead = await at.put({ body: '1' });
    const slow = gate();
    at.net.answer = ({ text }) => (text === '2' ? slow.promise : answered(200));
    await at.put({ body: '2' });
    await eventAct(at, dead, 'retry');
    slow.resolve(answered(200));
    await at.rest();
    await at.pass(10_000);
    await at.put({ body: '3' });
    await at.pass(HOUR);
    expect(await list(at, 'queued')).toEqual([]);
    expect(at.net.texts.slice(1)).toEqual(['2', '1', '3']);
    expect((await target(at)).queued).toBe(0);
  });
});

describe('many ordering keys', () => {
  test('the head of a queue is found by its own index, not by reading the whole backlog', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outbox-review-'));
    const { db, seal } = openFile(join(folder, 'outbox.sqlite'), Buffer.alloc(32, 7));
    const store = new OutboxStore({ db, seal });
    const id = store.addTarget(TEST_ORIGIN);
    const place = { project: 'p', pipeline: 'orders', node: 'push', test: false };
    const line = store.putLine(place, id, null);
    const base = { path: '/', contentType: null, traceparent: null, body: Buffer.from('{}') };
    store.atomically(() => {
      for (let n = 0; n < 20_000; n++) {
        const content = { ...base, orderingKey: `k${n}` };
        const row = { id: `e${n}`, target: id, line, acceptedAtMs: n, method: 'POST', content };
        store.insert(store.seal(row, 'queued'));
      }
    });
    // The fastest of many: the others depend on the load of the machine.
    let quickestMs = Infinity;
    for (let n = 0; n < 100; n++) {
      const began = performance.now();
      store.head(id, store.queueOf(`k${19_999 - n}`), 0);
      quickestMs = Math.min(quickestMs, performance.now() - began);
    }
    store.close();
    rmSync(folder, { recursive: true });
    expect(quickestMs).toBeLessThan(1);
  });
});

describe('a target that fails eight calls at the same moment', () => {
  test('is retried after about a second: it was one failure', async () => {
    const at = await world();
    at.line();
    await at.put({ body: 'first' });
    const down = gate();
    at.net.answer = () => down.promise;
    for (let n = 0; n < 8; n++) await at.put({ body: String(n), orderingKey: `k${n}` });
    expect(at.net.calls.length).toBe(1 + 8);
    down.resolve(UNREACHABLE);
    await at.rest();
    at.net.answer = () => answered(200);
    await at.pass(5_000);
    expect(at.net.calls.length).toBe(1 + 16);
  });

  test('a Retry-After is not shortened when the other calls end', async () => {
    const at = await world();
    at.line();
    await at.put({ body: 'first' });
    const asked = gate();
    const other = gate();
    at.net.answer = ({ text }) => (text === 'a' ? asked.promise : other.promise);
    await at.put({ body: 'a', orderingKey: 'a' });
    await at.put({ body: 'b', orderingKey: 'b' });
    asked.resolve(answered(429, { 'retry-after': '60' }));
    await at.rest();
    other.resolve(answered(429));
    await at.rest();
    at.net.answer = () => answered(200);
    await at.pass(50_000);
    expect(at.net.calls.length).toBe(1 + 2);
  });
});

describe('a rehearsal', () => {
  test('of a backlog from before a restart loses nothing', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => UNREACHABLE;
    for (let n = 0; n < 3; n++) await at.put({ body: String(n) });
    await at.reopen();
    await act(at, 'rehearse');
    at.net.answer = () => answered(200);
    await at.pass(5 * MINUTE);
    const { rehearsal } = await target(at);
    expect(rehearsal).toMatchObject({ state: 'done', waitedBefore: 3, delivered: 3, lost: 0 });
  });

  test('counts no dead letters below zero, and events retried in the meantime are not reordered', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(404);
    const dead = await at.put({ body: 'dead' });
    at.net.answer = () => answered(200);
    await act(at, 'rehearse');
    await at.put({ body: 'x' });
    await eventAct(at, dead, 'retry');
    await at.pass(5 * MINUTE);
    const { rehearsal } = await target(at);
    expect(rehearsal).toMatchObject({ lost: 0, reordered: 0, dead: 0 });
  });
});

describe('a disk that accepts nothing', () => {
  test('the refused events are not kept in memory', async () => {
    const at = await world();
    at.line();
    const other = new DatabaseSync(at.file);
    other.exec('BEGIN IMMEDIATE');
    const body = 'x'.repeat(100_000);
    const before = await memory();
    for (let n = 0; n < 600; n++) await at.put({ body });
    const after = await memory();
    other.exec('ROLLBACK');
    other.close();
    await at.pass(5_000);
    const kept = after - before;
    expect(kept).toBeLessThan(20_000_000);
  });

  test('a discard that fails is reported to its user, and the thread keeps running', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(404);
    const dead = await at.put({ body: 'x' });
    await at.pass(1_000);
    const crashes: unknown[] = [];
    const crashed = (error: unknown) => crashes.push(error);
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', crashed);
    const other = new DatabaseSync(at.file);
    other.exec('BEGIN IMMEDIATE');
    at.core().handle({ kind: 'call', id: 999, call: 'egress-event-act', args: { event: dead, act: 'discard' } });
    await at.rest();
    other.exec('ROLLBACK');
    other.close();
    process.off('unhandledRejection', crashed);
    for (const listener of listeners) process.on('unhandledRejection', listener);
    expect(crashes.map(String)).toEqual([]);
    expect(at.told.find((message) => message.kind === 'reply' && message.id === 999)).toBeDefined();
  });
});

describe('a page of large events', () => {
  test('does not read all their bodies', async () => {
    const at = await world();
    at.line();
    await act(at, 'pause');
    const body = 'x'.repeat(4_000_000);
    for (let n = 0; n < 50; n++) await at.put({ body, waitMs: 0 });
    const before = await memory();
    const args = { state: 'queued', target: null, cursor: null, limit: 1_000, payloads: false };
    at.core().handle({ kind: 'call', id: 9_999, call: 'egress-events', args });
    const read = process.memoryUsage().arrayBuffers - before;
    await at.rest();
    expect(read).toBeLessThan(20_000_000);
  });
});

describe('a busy gateway', () => {
  test('a target gets its turn although eight others always have events', async () => {
    const at = await world();
    const lines = Array.from({ length: 9 }, (_, n) => at.line({ node: `n${n}`, origin: `http://127.0.0.1:${n + 1}` }));
    for (const line of lines) await at.put({ line, body: 'first' });
    at.net.calls.length = 0;
    const pending: (() => void)[] = [];
    at.net.answer = () => new Promise((resolve) => pending.push(() => resolve(answered(200))));
    for (const line of lines.slice(0, 8))
      for (let key = 0; key < 8; key++)
        for (let n = 0; n < 10; n++)
          at.core().handle({
            kind: 'put',
            events: [
              {
                ticket: 1e6 + line * 1e4 + key * 100 + n,
                id: `b-${line}-${key}-${n}`,
                line,
                path: '/',
                contentType: null,
                body: null,
                orderingKey: `k${key}`,
                traceparent: null,
                acceptedAt: at.clock.wallMs(),
                putAtMs: at.clock.sharedMs(),
                waitMs: 1_000,
              },
            ],
          });
    await at.rest();
    expect(at.net.calls.length).toBe(64);
    await at.put({ line: lines[8] ?? 0, body: 'mine' });
    for (let round = 0; round < 300 && !at.net.texts.includes('mine'); round++) {
      pending.shift()?.();
      await at.rest();
    }
    const before = at.net.calls.length;
    for (const release of pending) release();
    at.net.answer = () => answered(200);
    expect(at.net.texts).toContain('mine');
    expect(before).toBeLessThan(64 + 130);
  });
});

describe('a clock that is set', () => {
  test('forward by an hour makes no dead letter of an event that was refused for half a minute', async () => {
    const at = await world();
    at.line();
    at.net.answer = ({ text }) => (text === 'head' ? answered(500) : answered(200));
    await at.put({ body: 'head' });
    await at.put({ body: 'next' });
    await at.pass(5_000);
    at.clock.setWall(at.clock.wallMs() + HOUR);
    await at.pass(2 * MINUTE);
    expect(at.net.texts.filter((text) => text === 'head').length).toBeGreaterThan(5);
    expect(at.net.texts).not.toContain('next');
    expect(await target(at)).toMatchObject({ queued: 2, dead: 0 });
    await at.pass(20 * MINUTE);
    expect(at.net.texts).toContain('next');
  });

  test('back by an hour holds nothing back across a restart for longer than its target asked', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(503);
    await at.put({ body: 'x' });
    at.clock.setWall(at.clock.wallMs() - HOUR);
    at.net.answer = () => answered(200);
    await at.reopen();
    await at.pass(2_000);
    expect((await target(at)).queued).toBe(0);
  });

  test('back by an hour does not release a backlog at once', async () => {
    const at = await world({ drainRate: 10 });
    at.line();
    at.net.answer = () => UNREACHABLE;
    for (let n = 0; n < 100; n++) await at.put({ body: `${n}` });
    expect((await target(at)).queued).toBe(100);
    at.clock.setWall(at.clock.wallMs() - HOUR);
    at.net.answer = () => answered(200);
    await at.pass(10 * MINUTE - 1);
    const delivered = at.net.calls.slice(-100);
    expect((await target(at)).queued).toBe(0);
    expect((delivered.at(-1)?.atMs ?? 0) - (delivered[0]?.atMs ?? 0)).toBeGreaterThan(9_000);
  });

  test('back by a day does not protect a poison event for a day', async () => {
    const at = await world();
    at.line();
    at.net.answer = ({ text }) => (text === 'poison' ? answered(500) : answered(200));
    await at.put({ body: 'poison' });
    await at.pass(1_000);
    at.clock.setWall(at.clock.wallMs() - 24 * HOUR);
    await at.put({ body: 'good' });
    await at.pass(HOUR);
    expect(at.net.texts).toContain('good');
  });
});

describe('room on the disk', () => {
  test('is released although a paused target still holds an event', async () => {
    const at = await world();
    at.line();
    at.line({ node: 'other', origin: 'http://127.0.0.1:10' });
    await act(at, 'pause');
    await at.put({ body: 'waits', waitMs: 0 });
    const down = gate();
    at.net.answer = () => down.promise;
    for (let n = 0; n < 20; n++) await at.put({ line: 2, body: 'x'.repeat(500_000), waitMs: 0 });
    at.net.answer = () => answered(200);
    down.resolve(answered(200));
    await at.pass(MINUTE);
    const db = new DatabaseSync(at.file, { readOnly: true });
    const free = Number(db.prepare('PRAGMA freelist_count').get()?.['freelist_count']);
    db.close();
    expect(free).toBeLessThan(100);
  });
});

describe('an event whose pages are damaged', () => {
  /** Two lines to unreachable targets; an event of the first waits. */
  async function worldOfTwo(): Promise<TestWorld> {
    const at = await world();
    at.line({ origin: 'http://127.0.0.1:1' });
    at.line({ node: 'other', origin: 'http://127.0.0.1:2' });
    at.net.answer = () => UNREACHABLE;
    await at.put({ line: 1, body: 'good' });
    return at;
  }

  test('does not leave a second outbox that sends alongside the restarted one', async () => {
    const at = await worldOfTwo();
    await at.put({ line: 2, body: 'x'.repeat(60_000) });
    await at.core().close();
    damage(at.file);
    at.net.calls.length = 0;
    const hang = gate();
    at.net.answer = () => hang.promise;
    // Like thread.ts: once a second, in the same thread.
    for (let second = 0; second < 3; second++) {
      try {
        const parts = { file: at.file, key: Buffer.alloc(32, 7), settings: testSettings(), tell: () => undefined };
        const core = new OutboxCore({ ...parts, clock: at.clock, client: at.net });
        hang.resolve(answered(200));
        await core.close();
        break;
      } catch {
        // The next second tries again.
      }
      await at.rest();
    }
    abandon();
    expect(at.net.texts.filter((text) => text === 'good').length).toBeLessThanOrEqual(1);
  });

  test('is reported to its user, and the outbox continues', async () => {
    const at = await worldOfTwo();
    const broken = await at.put({ line: 2, body: 'x'.repeat(60_000) });
    await at.reopen(() => damage(at.file));
    const asked = { event: broken, payload: true };
    await expect(at.ask('egress-event', asked)).rejects.toThrow('cannot be read');
    await expect(at.ask('egress-event-act', { event: broken, act: 'discard' })).rejects.toThrow('cannot be read');
    await expect(list(at, 'queued')).rejects.toThrow('cannot be read');
    at.net.answer = () => answered(200);
    await at.pass(MINUTE);
    expect(at.net.texts.at(-1)).toBe('good');
    expect((await at.ask<EgressState>('egress-state', {})).targets).toMatchObject([{ queued: 0 }, { queued: 1 }]);
  });

  test('does not end the outbox each time its state is read', async () => {
    const at = await worldOfTwo();
    const broken = await at.put({ line: 2, body: 'x'.repeat(3_000) });
    await at.put({ line: 2, body: 'x'.repeat(3_000) });
    await at.reopen(() => damageRow(at.file, broken));
    const { targets } = await at.ask<EgressState>('egress-state', {});
    expect(targets).toMatchObject([{ queued: 1 }, { queued: 2, oldestAt: null }]);
    await expect(list(at, 'queued')).rejects.toThrow('cannot be read');
  });

  test('behind an event that is refused for long creates no dead letter and ends nothing', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(503);
    await at.put({ body: 'head' });
    await at.put({ body: 'x'.repeat(60_000) });
    await at.reopen(() => damage(at.file));
    await at.pass(HOUR);
    expect(at.net.calls.length).toBeGreaterThan(10);
    expect(new Set(at.net.texts)).toEqual(new Set(['head']));
    expect(await target(at)).toMatchObject({ queued: 2, dead: 0 });
  });
});

describe('a damaged page of a sender config', () => {
  /** Events of two targets; the nodes' rows are unreadable after a restart. */
  async function damaged() {
    const at = await world();
    at.line({ origin: 'http://127.0.0.1:1' });
    at.line({ node: 'other', origin: 'http://127.0.0.1:2' });
    at.net.answer = () => UNREACHABLE;
    await at.put({ line: 1, body: 'one' });
    await at.put({ line: 2, body: 'two' });
    await at.reopen(() => damageRow(at.file, 'orderspush'));
    at.net.answer = () => answered(200);
    return at;
  }

  const faults = (at: TestWorld) =>
    at.told.flatMap((message) => (message.kind === 'log' && message.level === 'error' ? [message.text] : []));

  test('ends nothing: its events remain, unsent, and are reported', async () => {
    const at = await damaged();
    const sent = at.net.calls.length;
    await at.pass(HOUR);
    expect(at.net.calls.length).toBe(sent);
    const { targets } = await at.ask<EgressState>('egress-state', {});
    const reason = expect.stringContaining('cannot be read');
    expect(targets).toMatchObject([
      { queued: 1, dead: 0, reason },
      { queued: 1, dead: 0, reason },
    ]);
    await expect(list(at, 'queued')).rejects.toThrow('cannot be read');
  });

  test('raises one alarm and one log line, not one for each attempt', async () => {
    const at = await damaged();
    await at.pass(HOUR);
    const news = at.told.findLast((message) => message.kind === 'news');
    expect(news).toMatchObject({ news: { trouble: expect.stringContaining('damaged') } });
    expect((await at.ask<EgressState>('egress-state', {})).buffer.trouble).toContain('damaged');
    expect(faults(at).filter((text) => text.includes('how events are sent'))).toHaveLength(1);
    const late = faults(at).length;
    await at.pass(HOUR);
    expect(faults(at)).toHaveLength(late);
  });

  test('refuses new events with the reason', async () => {
    const at = await damaged();
    const id = await at.put({ line: 1, body: 'new' });
    expect(at.outcome(id)).toMatchObject({ kind: 'unavailable', text: expect.stringContaining('malformed') });
  });
});

describe('a node that waits behind a slow head', () => {
  test('receives "queued" once the target is paused and the head has ended', async () => {
    const at = await world();
    at.line();
    const slow = gate();
    at.net.answer = () => slow.promise;
    await at.put({ body: '1' });
    const behind = await at.put({ body: '2', waitMs: HOUR });
    await act(at, 'pause');
    slow.resolve(answered(200));
    await at.rest();
    expect(at.outcome(behind)).toMatchObject({ kind: 'queued' });
  });
});

describe('a backlog of many ordering keys', () => {
  test('does not delay new events', async () => {
    const at = await world({ drainRate: 1 });
    at.line();
    await act(at, 'pause');
    for (let n = 0; n < 50; n++) await at.put({ body: `old ${n}`, orderingKey: `k${n}`, waitMs: 0 });
    await at.pass(10_000);
    await act(at, 'resume');
    await at.put({ body: 'fresh', orderingKey: 'fresh' });
    await at.pass(3_000);
    expect(at.net.texts).toContain('fresh');
  });
});

describe('the end of a rehearsal', () => {
  test('does not shorten a Retry-After', async () => {
    const at = await world();
    at.line();
    at.net.answer = () => answered(429, { 'retry-after': '3600' });
    await at.put({ body: '1' });
    await act(at, 'rehearse');
    await at.pass(30 * MINUTE);
    expect(at.net.calls.length).toBe(1);
  });
});

describe('a main thread that is busy for longer than a node waits', () => {
  test('does not report "not stored" for an event that stays stored', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outbox-review-'));
    const outbox = openOutbox({
      dataDir: folder,
      key: Buffer.alloc(32, 7),
      settings: testSettings({ allowedInternalTargets: ['127.0.0.1:9'] }),
      log: createLogger('review', () => undefined),
      onNews: () => undefined,
    });
    const place = { project: 'p', pipeline: 'orders', node: 'push', test: false };
    const way = { origin: 'http://127.0.0.1:9', method: 'POST', headers: {}, timeoutMs: 100, tls: null };
    const line = await outbox.open({ ...place, ...way });
    const event = { path: '/', contentType: null, body: null, orderingKey: null, traceparent: null };
    await outbox.control['egress-state']({});
    const stored = async () => {
      const args = { state: 'queued', target: null, cursor: null, limit: 10, payloads: false } as const;
      return (await outbox.control['egress-events'](args)).items.length;
    };
    const attempt = async (waitMs: number) => {
      const put = outbox.put(line, event, waitMs);
      // It is sent in this turn; then the main thread is busy.
      await new Promise((resolve) => setImmediate(resolve));
      // Blocks without using the CPU: there may be only one core, and the thread needs it.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs + 300);
      return [(await put).kind, await stored()];
    };
    // On a busy machine the thread may not store it in such a short time and refuse it: that is another case.
    let outcome: unknown[] = [];
    for (let waitMs = 100; waitMs <= 6_400; waitMs *= 2) {
      outcome = await attempt(waitMs);
      if (outcome[0] !== 'unavailable' || outcome[1] !== 0) break;
    }
    await outbox.close();
    rmSync(folder, { recursive: true });
    expect(outcome).toEqual(['queued', 1]);
  }, 30_000);
});

/** Every overflow page of the large event has an invalid successor. */
function damage(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const size = Number(db.prepare('PRAGMA page_size').get()?.['page_size']);
  db.close();
  const bytes = readFileSync(file);
  // An overflow page begins with the number of the next one: consecutive pages form the chain.
  for (let page = 2; page * size < bytes.length; page++) {
    const next = bytes.readUInt32BE((page - 1) * size);
    if (next === page + 1) bytes.writeUInt32BE(0x7fffffff, (page - 1) * size);
  }
  writeFileSync(file, bytes);
}

/** The page of the table that contains the event. */
function damageRow(file: string, id: string): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const size = Number(db.prepare('PRAGMA page_size').get()?.['page_size']);
  db.close();
  const bytes = readFileSync(file);
  for (let at = size; at < bytes.length; at += size)
    if (bytes[at] === TABLE_LEAF && bytes.subarray(at, at + size).includes(id)) bytes[at] = 0xff;
  writeFileSync(file, bytes);
}

const TABLE_LEAF = 0x0d;

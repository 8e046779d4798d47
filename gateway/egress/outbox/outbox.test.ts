import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { makeGatewayFolders } from '#common/node/permissions.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import type { Outbox, OutboxEvent, OutboxNews } from './contract.ts';
import { testSettings } from './core.testing.ts';
import { NO_NEWS } from './no-news.ts';
import { openOutbox } from './outbox.ts';
import { answerOk, endingTarget } from '../http/ending-target.testing.ts';
import { Opened as Targets } from '../http/target.testing.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

interface Receiver {
  readonly origin: string;
  readonly host: string;
  readonly bodies: string[];
  readonly keys: string[];
}

async function receiver(answer: (res: http.ServerResponse) => void = (res) => res.end('ok')): Promise<Receiver> {
  const bodies: string[] = [];
  const keys: string[] = [];
  const server = http.createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString('utf8'));
    keys.push(String(req.headers['idempotency-key']));
    answer(res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => (server.closeAllConnections(), server.close()));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, bodies, keys };
}

interface Opened {
  readonly outbox: Outbox;
  readonly news: OutboxNews[];
  readonly log: string[];
  line(origin: string): Promise<number>;
}

async function openIn(dataDir: string, allowed: string[]): Promise<Opened> {
  const news: OutboxNews[] = [];
  const log: string[] = [];
  const outbox = openOutbox({
    dataDir,
    key: Buffer.alloc(32, 7),
    settings: testSettings({ allowedInternalTargets: allowed }),
    log: createLogger('test', (line) => log.push(line)),
    onNews: (told) => news.push(told),
  });
  closers.push(() => outbox.close());
  const place = { project: 'p', pipeline: 'orders', node: 'push', test: false };
  const line = (origin: string) =>
    outbox.open({ ...place, origin, method: 'POST', headers: {}, timeoutMs: 2_000, tls: null });
  return { outbox, news, log, line };
}

async function folder(): Promise<string> {
  const dir = await tempDir('outbox-');
  closers.push(dir.remove);
  makeGatewayFolders(dir.path);
  return dir.path;
}

function event(text: string): OutboxEvent {
  return { path: '/in', contentType: 'text/plain', body: Buffer.from(text), orderingKey: null, traceparent: null };
}

const state = async ({ outbox }: Opened) => (await outbox.control['egress-state']({})).targets[0];

describe('over a real socket', () => {
  test('an event is stored and delivered, and its response is reported', async () => {
    const mes = await receiver((res) => res.writeHead(201, { 'X-Batch': '7' }).end('taken'));
    const opened = await openIn(await folder(), [mes.host]);
    const line = await opened.line(mes.origin);
    const outcome = await opened.outbox.put(line, event('hello'), 10_000);
    expect(outcome).toMatchObject({ kind: 'answered', status: 201, headers: { 'x-batch': '7' } });
    expect(mes.bodies).toEqual(['hello']);
  });

  test('an event lost on a kept connection is delivered at once, with its key', async () => {
    const targets = new Targets();
    closers.push(() => targets.close());
    const mes = await endingTarget(targets);
    const opened = await openIn(await folder(), [`127.0.0.1:${mes.port}`]);
    const line = await opened.line(mes.origin);
    // The first one also waits for the thread; 790 ms is less than the outbox waits before it tries again.
    for (const waitMs of [10_000, 790, 790, 790])
      expect(await opened.outbox.put(line, event('x'), waitMs)).toMatchObject({ kind: 'answered', status: 200 });
    const keys = mes.arrivals.map(({ key }) => key);
    expect(mes.arrivals.map(({ connection }) => connection)).toEqual([0, 0, 1, 2, 2, 3]);
    expect([keys[1], keys[4]]).toEqual([keys[2], keys[5]]);
    expect(new Set(keys).size).toBe(4);
    expect(await state(opened)).toMatchObject({ queued: 0, reason: null });
  });

  test('an event that the new connection loses too was tried twice, and waits', async () => {
    const targets = new Targets();
    closers.push(() => targets.close());
    const mes = await endingTarget(targets, {
      first: (socket, connection) => (connection === 0 ? answerOk(socket, connection) : void socket.end()),
    });
    const opened = await openIn(await folder(), [`127.0.0.1:${mes.port}`]);
    const line = await opened.line(mes.origin);
    await opened.outbox.put(line, event('1'), 5_000);
    expect(await opened.outbox.put(line, event('2'), 500)).toMatchObject({ kind: 'queued' });
    expect(mes.arrivals.map(({ connection }) => connection)).toEqual([0, 0, 1]);
    const asked = { state: 'queued', target: null, cursor: null, limit: 10, payloads: false } as const;
    const { items } = await opened.outbox.control['egress-events'](asked);
    expect(items).toMatchObject([{ attempts: 2, lastAnswer: { status: null } }]);
  });

  test('500 concurrent events arrive in their order, each once', async () => {
    const mes = await receiver();
    const opened = await openIn(await folder(), [mes.host]);
    const line = await opened.line(mes.origin);
    await Promise.all(Array.from({ length: 500 }, (_, n) => opened.outbox.put(line, event(`${n}`), 60_000)));
    expect(mes.bodies).toEqual(Array.from({ length: 500 }, (_, n) => `${n}`));
    expect(new Set(mes.keys).size).toBe(500);
  });

  test('events that wait when the gateway stops are sent after it starts again', async () => {
    const mes = await receiver();
    const dataDir = await folder();
    const first = await openIn(dataDir, []);
    const outcomes = [];
    const line = await first.line(mes.origin);
    for (const text of ['1', '2', '3']) outcomes.push(await first.outbox.put(line, event(text), 10_000));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['queued', 'queued', 'queued']);
    expect(await state(first)).toMatchObject({ state: 'paused', queued: 3 });
    await first.outbox.close();
    const second = await openIn(dataDir, [mes.host]);
    await second.outbox.control['egress-target-act']({ target: 't1', act: 'resume', by: 'J' });
    await until('all are there', () => mes.bodies.length === 3);
    expect(mes.bodies).toEqual(['1', '2', '3']);
  });
});

describe('the thread', () => {
  const asked = { state: null, target: null, cursor: null, limit: 10, payloads: false } as const;

  test('is not started before it is needed: periodic queries are answered without it', async () => {
    const dataDir = await folder();
    const opened = await openIn(dataDir, []);
    const { eventsMax, bytesMax } = testSettings({});
    expect(await opened.outbox.control['egress-state']({})).toMatchObject({
      buffer: { events: 0, eventsMax, bytes: 0, bytesMax, trouble: null, diskFreeBytes: expect.any(Number) },
      targets: [],
    });
    await until('it is reported that nothing waits', () => opened.news.length > 0);
    expect(opened.news).toEqual([NO_NEWS]);
    expect(existsSync(join(dataDir, 'outbox.sqlite'))).toBe(false);
    expect(await opened.outbox.control['egress-events'](asked)).toEqual({ items: [], next: null });
    expect(existsSync(join(dataDir, 'outbox.sqlite'))).toBe(true);
  });

  test('is started for waiting events, even without any call', async () => {
    let down = true;
    const mes = await receiver((res) => res.writeHead(down ? 503 : 200).end());
    const dataDir = await folder();
    const first = await openIn(dataDir, [mes.host]);
    expect(await first.outbox.put(await first.line(mes.origin), event('1'), 500)).toMatchObject({ kind: 'queued' });
    await first.outbox.close();
    const before = mes.bodies.length;
    down = false;
    await openIn(dataDir, [mes.host]);
    await until('it arrives', () => mes.bodies.length > before);
    expect(mes.bodies.at(-1)).toBe('1');
  });

  test('reports at once a file that it cannot open, even without any call', async () => {
    const dataDir = await folder();
    mkdirSync(join(dataDir, 'outbox.sqlite'));
    const opened = await openIn(dataDir, []);
    await until('it is reported', () =>
      opened.news.some(({ trouble }) => trouble?.includes('cannot be opened') === true),
    );
  });

  test('reports with the first sender config that it cannot create its file', async () => {
    const dataDir = await folder();
    const opened = await openIn(dataDir, []);
    mkdirSync(join(dataDir, 'outbox.sqlite'));
    const line = await opened.line('http://127.0.0.1:9');
    const refused = { kind: 'unavailable', text: expect.stringContaining('cannot be opened') };
    expect(await opened.outbox.put(line, event('1'), 5_000)).toMatchObject(refused);
    await until('it is reported', () =>
      opened.news.some(({ trouble }) => trouble?.includes('cannot be opened') === true),
    );
  });

  test('is closed at once if it was never started, and then cannot be started', async () => {
    const dataDir = await folder();
    const opened = await openIn(dataDir, []);
    await opened.outbox.close();
    await expect(opened.outbox.control['egress-events'](asked)).rejects.toThrow('opened again');
    const line = await opened.line('http://127.0.0.1:9');
    expect(await opened.outbox.put(line, event('1'), 5_000)).toMatchObject({ text: 'the gateway is stopping' });
    expect(existsSync(join(dataDir, 'outbox.sqlite'))).toBe(false);
  });
});

test('everything that was accepted is there after kill -9, in order', async () => {
  const dataDir = await folder();
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./put-process.testing.ts', import.meta.url)), dataDir],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const accepted = await acceptedBefore(child, 200);
  const opened = await openIn(dataDir, []);
  const events = await opened.outbox.control['egress-events']({
    state: 'queued',
    target: null,
    cursor: null,
    limit: 1_000,
    payloads: true,
  });
  const texts = events.items.map(({ payload }) => payload?.text);
  expect(texts.slice(0, accepted)).toEqual(Array.from({ length: accepted }, (_, n) => `event ${n}`));
});

/** Kills the process after it has reported this many; returns how many it reported in total. */
async function acceptedBefore(child: ChildProcess, count: number): Promise<number> {
  let text = '';
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    if (text.split('\n').length > count) child.kill('SIGKILL');
  });
  await exited;
  return text.split('\n').length - 1;
}

describe('when an error occurs', () => {
  /** An outbox whose first event is delivered. */
  async function delivering() {
    const mes = await receiver();
    const dataDir = await folder();
    const opened = await openIn(dataDir, [mes.host]);
    const line = await opened.line(mes.origin);
    await opened.outbox.put(line, event('1'), 5_000);
    return { mes, dataDir, opened, line };
  }

  test('a disk that holds its lock refuses events visibly, and recovers by itself', async () => {
    const { mes, dataDir, opened, line } = await delivering();
    const blocker = new DatabaseSync(join(dataDir, 'outbox.sqlite'));
    blocker.exec('BEGIN IMMEDIATE');
    expect(await opened.outbox.put(line, event('2'), 5_000)).toMatchObject({
      kind: 'unavailable',
      text: expect.stringContaining('was not stored'),
    });
    await until('it is reported', () =>
      opened.news.some(({ trouble }) => trouble?.includes('cannot be written') === true),
    );
    blocker.exec('COMMIT');
    blocker.close();
    await until(
      'it takes events again',
      async () => (await opened.outbox.put(line, event('3'), 5_000)).kind === 'answered',
    );
    expect(mes.bodies).not.toContain('2');
    expect(mes.bodies.at(-1)).toBe('3');
  });

  test('a file that cannot be opened refuses events with the reason until it can be', async () => {
    const mes = await receiver();
    const dataDir = await folder();
    const path = join(dataDir, 'outbox.sqlite');
    mkdirSync(path);
    const opened = await openIn(dataDir, [mes.host]);
    const line = await opened.line(mes.origin);
    expect(await opened.outbox.put(line, event('1'), 5_000)).toMatchObject({
      kind: 'unavailable',
      text: expect.stringContaining('cannot be opened'),
    });
    await until('it is reported', () =>
      opened.news.some(({ trouble }) => trouble?.includes('cannot be opened') === true),
    );
    const { rmdirSync } = await import('node:fs');
    rmdirSync(path);
    await until('it opens', async () => (await opened.outbox.put(line, event('2'), 5_000)).kind === 'answered');
    expect(mes.bodies.at(-1)).toBe('2');
  });

  test('a file that is not a database is left unchanged', async () => {
    const dataDir = await folder();
    const { writeFileSync } = await import('node:fs');
    const path = join(dataDir, 'outbox.sqlite');
    writeFileSync(path, 'this is something else entirely, and longer than a header of a database would be '.repeat(20));
    const before = readFileSync(path);
    const opened = await openIn(dataDir, []);
    const line = await opened.line('http://127.0.0.1:9');
    expect(await opened.outbox.put(line, event('1'), 5_000)).toMatchObject({ kind: 'unavailable' });
    await opened.outbox.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('a thread that crashes is restarted, and its stored events are delivered', async () => {
    const { mes, dataDir, opened, line } = await delivering();
    await opened.outbox.control['egress-target-act']({ target: 't1', act: 'pause', by: 'J' });
    expect(await opened.outbox.put(line, event('2'), 5_000)).toMatchObject({ kind: 'queued' });
    const vandal = new DatabaseSync(join(dataDir, 'outbox.sqlite'));
    vandal.exec('ALTER TABLE events RENAME TO gone');
    await expect(opened.outbox.control['egress-target-act']({ target: 't1', act: 'resume', by: 'J' })).rejects.toThrow(
      'opened again',
    );
    await until('it is reported', () =>
      opened.news.some(({ trouble }) => trouble?.includes('cannot be opened') === true),
    );
    vandal.exec('ALTER TABLE gone RENAME TO events');
    vandal.close();
    const acted = () => opened.outbox.control['egress-target-act']({ target: 't1', act: 'resume', by: 'J' });
    await until('it responds', async () => (await acted().catch(() => null)) !== null);
    await until('it arrives', () => mes.bodies.includes('2'));
    expect(mes.bodies).toEqual(['1', '2']);
  });

  test('a thread that crashes each time is restarted later and later', { timeout: 60_000 }, async () => {
    const dataDir = await folder();
    const opened = await openIn(dataDir, []);
    await opened.line('http://127.0.0.1:1');
    const ask = () => opened.outbox.control['egress-event']({ event: 'none', payload: false });
    const endsAt = () =>
      opened.log.filter((line) => line.includes('thread ended')).map((line) => Date.parse(JSON.parse(line).time));
    const waits: number[] = [];
    const vandal = new DatabaseSync(join(dataDir, 'outbox.sqlite'));
    closers.push(() => vandal.close());
    vandal.exec('PRAGMA busy_timeout = 5000');
    for (let round = 1; round <= 3; round++) {
      vandal.exec('ALTER TABLE events RENAME TO gone');
      await ask().catch(() => null);
      await until('it ended', () => endsAt().length === round);
      vandal.exec('ALTER TABLE gone RENAME TO events');
      await until('it responds', async () => (await ask().catch(() => false)) === null, { timeoutMs: 20_000 });
      waits.push(Date.now() - (endsAt().at(-1) ?? 0));
    }
    for (const [round, waitedMs] of waits.entries()) expect(waitedMs).toBeGreaterThanOrEqual(1_000 * 2 ** round - 50);
  });

  test('a disk that fails while an event is prepared makes no dead letter of it', async () => {
    const mes = await receiver();
    const dataDir = await folder();
    const first = await openIn(dataDir, []);
    await first.outbox.put(await first.line(mes.origin), event('1'), 10_000);
    await first.outbox.close();
    const vandal = new DatabaseSync(join(dataDir, 'outbox.sqlite'));
    vandal.exec('ALTER TABLE lines RENAME COLUMN sealed TO gone');
    const second = await openIn(dataDir, [mes.host]);
    const resume = () => second.outbox.control['egress-target-act']({ target: 't1', act: 'resume', by: 'J' });
    await until('it is resumed', async () => (await resume().catch(() => null)) !== null);
    await until('the thread ended', () => second.log.some((line) => line.includes('thread ended')));
    vandal.exec('ALTER TABLE lines RENAME COLUMN gone TO sealed');
    vandal.close();
    await until('it arrives', () => mes.bodies.length > 0);
    // A target without events and nodes is no longer listed.
    expect((await state(second))?.dead ?? 0).toBe(0);
  });

  test('an unknown or released sender config refuses events', async () => {
    const opened = await openIn(await folder(), []);
    const line = await opened.line('http://127.0.0.1:9');
    opened.outbox.release(line);
    expect(await opened.outbox.put(line, event('1'), 5_000)).toMatchObject({ kind: 'unavailable' });
  });

  test('a closed outbox refuses events at once', async () => {
    const opened = await openIn(await folder(), []);
    const line = await opened.line('http://127.0.0.1:9');
    await opened.outbox.close();
    expect(await opened.outbox.put(line, event('1'), 5_000)).toEqual({
      kind: 'unavailable',
      text: 'the gateway is stopping',
    });
  });
});

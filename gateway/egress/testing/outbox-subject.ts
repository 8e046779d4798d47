import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EgressEventDetail, ExportedEvent } from '#common/model/egress.ts';
import type { Logger } from '#common/node/log.ts';
import { type PowerSubject, runWorkload } from '#test/power-subject.ts';
import { until } from '#test/until.ts';
import type { Outbox, OutboxLine, OutboxOutcome, OutboxSettings } from '../outbox/contract.ts';
import { openOutbox } from '../outbox/outbox.ts';
import { type CheckedOutbox, openOutboxHere } from './outbox-here.ts';

/**
 * The outbox under power cuts and failing disks. One target has no server and is paused; the other one is a server in
 * this process, which accepts, refuses and delays calls.
 */
type OutboxMark =
  /** Accepted: it must be present, with this body, until it is `sent` or `discarding`. */
  | { is: 'accepted'; id: string; body: string }
  /** The receiver has it: the file may or may not contain it. */
  | { is: 'sent'; id: string }
  /** A user changed its body; until the response, both bodies are correct. */
  | { is: 'editing' | 'edited'; id: string; body: string }
  /** A user removed it; after the response, it must not reappear. */
  | { is: 'discarding' | 'discarded'; id: string }
  | { is: 'paused'; origin: string };

const KEY = Buffer.alloc(32, 7);
const CLOSED = 'http://127.0.0.1:1';
const BY = 'J. Keller';
/** More than the size at which SQLite writes a WAL into the file: 1,000 pages. */
const LARGE_BODIES = 22;
const LARGE_BODY_CHARS = 200_000;
const WAIT_MS = 20_000;
const SHORT_WAIT_MS = 900;

/** One of this many states is opened as in the gateway, in a separate thread; the others in this one. */
const IN_THREAD_EVERY = 20;
let checks = 0;

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

function settings(allowedInternalTargets: readonly string[] = []): OutboxSettings {
  const caps = { bytesMax: 1024 ** 3, eventsMax: 100_000, diskReserveBytes: 0, drainRate: 10_000 };
  return { ...caps, allowedInternalTargets, proxy: null, proxyTargets: [] };
}

export function openTestOutbox(dataDir: string, allowedInternalTargets: readonly string[] = []): Outbox {
  return openOutbox({ dataDir, key: KEY, settings: settings(allowedInternalTargets), log: silent, onNews: () => {} });
}

export function testLine(origin: string): OutboxLine {
  const place = { project: 'line-1', pipeline: 'reports', node: 'send', test: false };
  return { ...place, origin, method: 'POST', headers: { Authorization: 'Bearer secret' }, timeoutMs: 5_000, tls: null };
}

export function putText(outbox: CheckedOutbox, line: number, body: string, waitMs = WAIT_MS): Promise<OutboxOutcome> {
  const event = { path: '/reports', contentType: 'text/plain', orderingKey: null, traceparent: null };
  return outbox.put(line, { ...event, body: Buffer.from(body) }, waitMs);
}

/** All events in the outbox, dead or queued. Throws if it cannot be opened. */
async function allEvents(outbox: CheckedOutbox): Promise<EgressEventDetail[]> {
  const found: EgressEventDetail[] = [];
  for (let cursor: string | null = null; ;) {
    const asked = { state: null, target: null, cursor, limit: 1_000, payloads: true };
    const page: { items: EgressEventDetail[]; next: string | null } = await outbox.control['egress-events'](asked);
    found.push(...page.items);
    if (page.next === null) return found;
    cursor = page.next;
  }
}

export const outboxSubject = subject(async (folder, say) => {
  const server = await startServer(say);
  try {
    await firstLife(folder, server, say);
    await secondLife(folder, server, say);
  } finally {
    server.close();
  }
});

/** More than the size at which SQLite writes the WAL into the file and restarts it. */
export const fullLogSubject = subject(async (folder, say) => {
  const outbox = openTestOutbox(folder);
  const closed = await outbox.open(testLine(CLOSED));
  await accept(outbox, closed, 'first', say);
  await pause(outbox, CLOSED, say);
  for (let count = 0; count < LARGE_BODIES; count++)
    await accept(outbox, closed, `large ${count} `.padEnd(LARGE_BODY_CHARS, 'x'), say);
  for (let count = 0; count < 3; count++) await accept(outbox, closed, `after ${count}`, say);
  await outbox.close();
});

/** A start on the state after a power cut, for the cut that happens during the start. */
export const againSubject = subject(async (folder, say) => {
  const outbox = openTestOutbox(folder);
  const closed = await outbox.open(testLine(CLOSED));
  for (let count = 0; count < 3; count++) await accept(outbox, closed, `again ${count}`, say);
  await outbox.close();
});

const SUBJECTS: Readonly<Record<string, PowerSubject>> = {
  outbox: outboxSubject,
  'full-log': fullLogSubject,
  again: againSubject,
};

function subject(workload: (folder: string, say: (mark: OutboxMark) => void) => Promise<void>): PowerSubject {
  return { workload, check: (folder, marks) => check(folder, marks as readonly OutboxMark[]) };
}

/** Events for a paused target, in all sizes; then a clean end. */
async function firstLife(folder: string, server: Server, say: (mark: OutboxMark) => void): Promise<void> {
  const outbox = openTestOutbox(folder, [hostOf(server)]);
  const closed = await outbox.open(testLine(CLOSED));
  await accept(outbox, closed, 'first', say);
  await pause(outbox, CLOSED, say);
  for (let count = 0; count < 6; count++) await accept(outbox, closed, `one by one ${count}`, say);
  await Promise.all(Array.from({ length: 8 }, (_, count) => accept(outbox, closed, `together ${count}`, say)));
  await outbox.close();
}

/** Deliveries, dead letters and actions of users on them; no clean end. */
async function secondLife(folder: string, server: Server, say: (mark: OutboxMark) => void): Promise<void> {
  const outbox = openTestOutbox(folder, [hostOf(server)]);
  const line = await outbox.open(testLine(`http://${hostOf(server)}`));
  for (const body of ['take 1', 'take 2']) await putText(outbox, line, body);
  const [dead, edited] = [await die(outbox, line, 'refuse 1', say), await die(outbox, line, 'refuse 2', say)];
  say({ is: 'discarding', id: dead });
  await outbox.control['egress-event-act']({ event: dead, act: 'discard' });
  say({ is: 'discarded', id: dead });
  const text = 'refuse 2, edited';
  say({ is: 'editing', id: edited, body: text });
  await outbox.control['egress-edit']({ event: edited, edit: { text } });
  say({ is: 'edited', id: edited, body: text });
  await outbox.control['egress-event-act']({ event: edited, act: 'retry' });
  await until(
    'it is refused again',
    async () => (await allEvents(outbox)).find(({ id }) => id === edited)?.state === 'dead',
  );
  const imported = await takeIn(outbox, say);
  say({ is: 'discarding', id: imported });
  await outbox.control['egress-event-act']({ event: imported, act: 'discard' });
  say({ is: 'discarded', id: imported });
  const closed = await outbox.open(testLine(CLOSED));
  await accept(outbox, closed, 'last', say);
  await outbox.close();
}

async function accept(outbox: Outbox, line: number, body: string, say: (mark: OutboxMark) => void): Promise<void> {
  say({ is: 'accepted', id: await queued(outbox, line, body), body });
}

/**
 * The event's ID. Its target is not reachable, so it waits; if this must be found out first, the node should not wait
 * long. On a busy machine an event may not be stored in that time: it is put again.
 */
async function queued(outbox: CheckedOutbox, line: number, body: string): Promise<string> {
  const outcomes: OutboxOutcome[] = [];
  const accepted = await until(
    'an event is accepted',
    async () => {
      const outcome = await putText(outbox, line, body, SHORT_WAIT_MS);
      outcomes.push(outcome);
      return outcome.kind === 'queued' && outcome;
    },
    { timeoutMs: WAIT_MS, everyMs: 100 },
  ).catch((error: unknown) => {
    throw new Error(`it does not continue: ${JSON.stringify(outcomes.at(-1)).slice(0, 200)}`, { cause: error });
  });
  return accepted.id;
}

async function die(outbox: Outbox, line: number, body: string, say: (mark: OutboxMark) => void): Promise<string> {
  const outcome = await putText(outbox, line, body);
  if (outcome.kind !== 'dead') throw new Error(`expected "dead": ${JSON.stringify(outcome).slice(0, 200)}`);
  say({ is: 'accepted', id: outcome.id, body });
  return outcome.id;
}

async function takeIn(outbox: Outbox, say: (mark: OutboxMark) => void): Promise<string> {
  const id = '00000000-0000-4000-8000-000000000001';
  const body = 'from another machine';
  const payload = { idempotencyKey: id, orderingKey: null, path: '/reports', contentType: null, traceparent: null };
  const place = { project: 'line-1', pipeline: 'reports', node: 'send', method: 'POST' };
  const acceptedAt = '2026-01-01T00:00:00.000Z';
  const event: ExportedEvent = {
    id,
    origin: CLOSED,
    ...place,
    acceptedAt,
    payload: { ...payload, text: body, base64: null },
  };
  await outbox.control['egress-import']({ events: [event] });
  say({ is: 'accepted', id, body });
  return id;
}

async function pause(outbox: Outbox, origin: string, say: (mark: OutboxMark) => void): Promise<void> {
  const { targets } = await outbox.control['egress-state']({});
  const target = targets.find((one) => one.target === origin)?.id ?? '';
  await outbox.control['egress-target-act']({ target, act: 'pause', by: BY });
  say({ is: 'paused', origin });
}

async function startServer(say: (mark: OutboxMark) => void): Promise<Server> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const refused = Buffer.concat(pieces).toString().startsWith('refuse');
      if (!refused) say({ is: 'sent', id: String(request.headers['idempotency-key']) });
      response.writeHead(refused ? 400 : 200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function hostOf(server: Server): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Contents of the file after a clean start: IDs and bodies. */
export async function storedBodies(folder: string): Promise<Map<string, string | null>> {
  const outbox = openOutboxHere(folder, KEY, settings());
  try {
    return new Map((await allEvents(outbox)).map(({ id, payload }) => [id, payload?.text ?? null]));
  } finally {
    await outbox.close();
  }
}

/** Nothing is called here: no internal target is allowed. */
async function check(folder: string, marks: readonly OutboxMark[]): Promise<void> {
  const inThread = checks++ % IN_THREAD_EVERY === 0;
  const outbox = inThread ? openTestOutbox(folder) : openOutboxHere(folder, KEY, settings());
  try {
    expectEvents(await allEvents(outbox), marks);
    const { targets } = await outbox.control['egress-state']({});
    for (const mark of marks.filter(({ is }) => is === 'paused')) {
      const target = targets.find((one) => 'origin' in mark && one.target === mark.origin);
      if (target?.state !== 'paused') throw new Error(`the pause of ${target?.target} is lost`);
    }
    const line = await outbox.open(testLine(CLOSED));
    const after = await queued(outbox, line, 'after the power cut');
    if (!(await allEvents(outbox)).some(({ id }) => id === after)) throw new Error('what came after is not there');
  } finally {
    await outbox.close();
  }
}

function expectEvents(events: readonly EgressEventDetail[], marks: readonly OutboxMark[]): void {
  const found = new Map(events.map((event) => [event.id, event.payload?.text ?? null]));
  for (const [id, { bodies, there }] of expectations(marks)) {
    const body = found.get(id);
    if (there === 'must' && body === undefined)
      throw new Error(`accepted event ${id} (${bodies[0]?.slice(0, 30)}) is lost`);
    if (there === 'never' && body !== undefined) throw new Error(`discarded event ${id} is back`);
    if (body !== undefined && !bodies.some((one) => one === body)) throw new Error(`event ${id} has another body`);
  }
}

interface Expected {
  bodies: string[];
  there: 'must' | 'may' | 'never';
}

function expectations(marks: readonly OutboxMark[]): Map<string, Expected> {
  const expected = new Map<string, Expected>();
  for (const mark of marks) {
    if (mark.is === 'paused') continue;
    const before = expected.get(mark.id) ?? { bodies: [], there: 'may' };
    if (mark.is === 'accepted') expected.set(mark.id, { bodies: [mark.body], there: 'must' });
    else if (mark.is === 'editing') expected.set(mark.id, { ...before, bodies: [...before.bodies, mark.body] });
    else if (mark.is === 'edited') expected.set(mark.id, { ...before, bodies: [mark.body] });
    else expected.set(mark.id, { ...before, there: mark.is === 'discarded' ? 'never' : 'may' });
  }
  // Delivered while its node waited: its body was never recorded here.
  for (const [id, { bodies }] of expected) if (bodies.length === 0) expected.delete(id);
  return expected;
}

if (import.meta.main) await runWorkload(SUBJECTS[process.argv[3] ?? '']?.workload);

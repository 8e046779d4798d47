import { randomUUID } from 'node:crypto';
import { freeBytesSoon } from '#common/node/disk-space.ts';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { GatewayCalls } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { EgressState } from '#common/model/egress.ts';
import type { Logger } from '#common/node/log.ts';
import { gatewayFolder } from '#common/node/permissions.ts';
import { mayExist } from '#common/node/may-exist.ts';
import { PendingRequests } from '#common/node/pending-requests.ts';
import { WorkerThread } from '#common/node/worker-thread.ts';
import type { EgressCallName, EgressControl } from '../contract.ts';
import { BufferGauge } from './buffer-gauge.ts';
import type { Outbox, OutboxEvent, OutboxLine, OutboxOptions, OutboxOutcome, OutboxSettings } from './contract.ts';
import { CLOSE_GRACE_MS, STORE_GRACE_MS, STORE_MS_MAX, THREAD_LASTED_MS, TOO_LATE } from './limits.ts';
import { realClock } from './clock.ts';
import { NO_NEWS } from './no-news.ts';
import type { FromOutbox, PutEvent, ThreadOptions, ToOutbox } from './messages.ts';
import { PendingShares } from './pending-shares.ts';
import { Rates } from './rates.ts';
import { threadRestartMs } from './retry.ts';

/**
 * The outbox for the gateway's main thread: events are sent to its thread in batches, one per turn of the event loop,
 * and their outcomes are returned. Nothing here waits for the disk.
 *
 * If the file exists, it may contain waiting events, so the thread starts with the gateway. Otherwise it starts with
 * the first sender config or the first call that needs it, because it costs 15 MB.
 *
 * A thread that ends unexpectedly is restarted after a second. The delay doubles each time until a thread runs long
 * enough. The new thread gets the open sender configs, and sends the stored events. Nodes whose event was stored by
 * then receive `queued`, the others `unavailable`. Limits: PENDING_EVENTS_MAX waiting, and PENDING_BYTES_MAX to be
 * stored, each for at most STORE_MS_MAX; one project may use a part of both while others need them (pending-shares.ts).
 */
export const OUTBOX_FILE = 'outbox.sqlite';
const CLOSE_MS_MAX = CLOSE_GRACE_MS + 2_000;
/** The gateway acknowledges a change of settings within 2 s. */
const SETTINGS_MS_MAX = 1_000;
/** How long the start of a pipeline waits for the start of the thread. */
const READY_MS_MAX = 10_000;
/** A call by a user may wait until an attempt ends, which can take until the timeout of its node. */
const CALL_MS_MAX = 60_000;

interface Pending {
  readonly id: string;
  readonly project: string;
  readonly pipeline: string;
  /** Events that are not stored yet. */
  bytes: number;
  stored: boolean;
  timer: NodeJS.Timeout;
  resolve(outcome: OutboxOutcome): void;
}

export function openOutbox(options: OutboxOptions): Outbox {
  return new ThreadOutbox(options);
}

class ThreadOutbox implements Outbox {
  readonly control: EgressControl;
  readonly #options: OutboxOptions;
  readonly #log: Logger;
  readonly #lines = new Map<number, OutboxLine>();
  readonly #shares = new PendingShares();
  readonly #pending = new Map<number, Pending>();
  readonly #calls = new PendingRequests<unknown>();
  #settings: OutboxSettings;
  #thread: WorkerThread<ToOutbox, FromOutbox> | null = null;
  /** False while there is no file and no need for one. */
  #started = false;
  #restart: NodeJS.Timeout | undefined;
  /** Number of consecutive threads that ended too early. */
  #ends = 0;
  #startedMs = 0;
  #batch: PutEvent[] = [];
  #last = 0;
  #closed = false;
  readonly #ready = Promise.withResolvers<void>();

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#log = options.log;
    this.control = this.#makeControl();
    if (mayExist(join(options.dataDir, OUTBOX_FILE))) this.#start();
    else setImmediate(() => this.#tellEmpty());
  }

  async open(line: OutboxLine): Promise<number> {
    const handle = ++this.#last;
    this.#startOnce();
    this.#lines.set(handle, line);
    this.#post({ kind: 'line', handle, line });
    // The first calls of a pipeline must not meet a thread that is still starting.
    await Promise.race([this.#ready.promise, delay(READY_MS_MAX, undefined, { ref: false })]);
    return handle;
  }

  release(handle: number): void {
    this.#lines.delete(handle);
    this.#post({ kind: 'release', handle });
  }

  put(line: number, event: OutboxEvent, waitMs: number): Promise<OutboxOutcome> {
    this.#startOnce();
    const bytes = event.body?.byteLength ?? 0;
    const { project, pipeline } = this.#lines.get(line) ?? { project: '', pipeline: '' };
    const refusal = this.#refusal(project, bytes);
    if (refusal !== null) return Promise.resolve({ kind: 'unavailable', text: refusal });
    const ticket = ++this.#last;
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<OutboxOutcome>();
    const timer = setTimeout(() => this.#storeTimeOver(ticket, waitMs), Math.min(waitMs, STORE_MS_MAX));
    this.#pending.set(ticket, { id, project, pipeline, bytes, stored: false, timer, resolve });
    this.#shares.change(project, 1, bytes);
    if (this.#batch.length === 0) setImmediate(() => this.#send());
    this.#batch.push({ ...event, ticket, id, line, acceptedAt: Date.now(), putAtMs: realClock.sharedMs(), waitMs });
    return promise;
  }

  async configure(settings: OutboxSettings): Promise<void> {
    this.#settings = settings;
    // A restarted thread begins with them; one whose disk hangs gets them before anything else.
    if (this.#thread === null) return;
    const held = this.#ask((id) => ({ kind: 'settings', id, settings })).catch(() => undefined);
    await Promise.race([held, delay(SETTINGS_MS_MAX, undefined, { ref: false })]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#restart);
    this.#send();
    await this.#thread?.close({ kind: 'close' }, CLOSE_MS_MAX);
    this.#thread = null;
    this.#ready.resolve();
    this.#abandon('the gateway is stopping');
  }

  // ── Events ────────────────────────────────────────────────────────────────────────────────────────────────────

  #refusal(project: string, bytes: number): string | null {
    if (this.#closed) return 'the gateway is stopping';
    if (this.#thread === null) return 'the outbox is being opened again';
    const alone = () => [...this.#lines.values()].every((line) => line.project === project);
    return this.#shares.refusal(project, bytes, alone);
  }

  #send(): void {
    if (this.#batch.length === 0) return;
    this.#post({ kind: 'put', events: this.#batch.splice(0) });
  }

  /**
   * The time to store it is over. A stored event uses the rest of its node's time; otherwise the thread has the last
   * word.
   */
  #storeTimeOver(ticket: number, waitMs: number): void {
    const pending = this.#pending.get(ticket);
    if (pending === undefined) return;
    const restMs = pending.stored ? waitMs - STORE_MS_MAX : STORE_GRACE_MS;
    pending.timer = setTimeout(() => this.#timeOver(ticket), Math.max(0, restMs));
  }

  /** If it is stored, the event is sent although its node no longer waits. Otherwise the thread removes it. */
  #timeOver(ticket: number): void {
    const pending = this.#pending.get(ticket);
    if (pending === undefined) return;
    const { id, stored } = pending;
    this.#post({ kind: 'unwait', id });
    this.#finish(ticket, stored ? { kind: 'queued', id } : { kind: 'unavailable', text: TOO_LATE });
  }

  #finish(ticket: number, outcome: OutboxOutcome): void {
    const pending = this.#pending.get(ticket);
    if (pending === undefined) return;
    clearTimeout(pending.timer);
    this.#pending.delete(ticket);
    // The outcome of an event that is only queued arrives before the confirmation that it is stored.
    const isStored = outcome.kind !== 'full' && outcome.kind !== 'unavailable';
    if (isStored && !pending.stored) this.#options.onStored?.(pending, pending.bytes);
    this.#shares.change(pending.project, -1, -pending.bytes);
    pending.resolve(outcome);
  }

  #abandon(text: string): void {
    for (const [ticket, { id, stored }] of this.#pending)
      this.#finish(ticket, stored ? { kind: 'queued', id } : { kind: 'unavailable', text });
    this.#calls.rejectAll(() => new SluiceError('conflict', 'The outbox failed and is being opened again; try again.'));
  }

  // ── The thread ────────────────────────────────────────────────────────────────────────────────────────────────

  #startOnce(): void {
    if (!this.#started && !this.#closed) this.#start();
  }

  #start(): void {
    this.#started = true;
    this.#startedMs = realClock.nowMs();
    const { dataDir, key } = this.#options;
    const workerOptions: ThreadOptions = { file: join(dataDir, OUTBOX_FILE), key, settings: this.#settings };
    this.#thread = new WorkerThread(
      new URL('./thread.ts', import.meta.url),
      { name: 'outbox', workerData: workerOptions },
      { onMessage: (message) => this.#received(message), onLost: (reason) => this.#lost(reason) },
    );
    for (const [handle, line] of this.#lines) this.#post({ kind: 'line', handle, line });
  }

  #lost(reason: string): void {
    this.#thread = null;
    if (this.#closed) return;
    this.#batch = [];
    this.#log.error('the outbox’s thread ended and is restarted', { reason });
    this.#abandon('the outbox failed: whether the event was stored is not known');
    this.#options.onNews({ ...NO_NEWS, trouble: 'the outbox failed and is being opened again' });
    if (realClock.nowMs() - this.#startedMs >= THREAD_LASTED_MS) this.#ends = 0;
    this.#restart = setTimeout(() => this.#start(), threadRestartMs(this.#ends++));
  }

  #received(message: FromOutbox): void {
    switch (message.kind) {
      case 'ready':
        return this.#ready.resolve();
      case 'stored':
        for (const ticket of message.tickets) this.#markStored(ticket);
        return;
      case 'outcome':
        return this.#finish(message.ticket, message.outcome);
      case 'reply':
        return this.#replied(message);
      case 'news':
        return this.#options.onNews(message.news);
      case 'log':
        return this.#log[message.level](message.text, message.fields);
    }
  }

  #markStored(ticket: number): void {
    const pending = this.#pending.get(ticket);
    if (pending === undefined) return;
    pending.stored = true;
    this.#options.onStored?.(pending, pending.bytes);
    this.#shares.change(pending.project, 0, -pending.bytes);
    pending.bytes = 0;
  }

  #replied({ id, value, error }: FromOutbox & { kind: 'reply' }): void {
    if (error === undefined) return this.#calls.resolve(id, value);
    this.#calls.reject(id, new SluiceError(error.code, error.detail, error.errors && { errors: error.errors }));
  }

  async #ask(message: (id: number) => ToOutbox): Promise<unknown> {
    this.#startOnce();
    if (this.#thread === null) throw new SluiceError('conflict', 'The outbox is being opened again; try again.');
    const { id, promise } = this.#calls.add(undefined, {
      ms: CALL_MS_MAX,
      error: () => new SluiceError('conflict', 'The outbox does not answer: its disk may hang. Try again.'),
    });
    this.#thread.post(message(id));
    return promise;
  }

  #post(message: ToOutbox): void {
    this.#thread?.post(message);
  }

  /** Reports the state of an empty file, because an earlier gateway's reports no longer apply. */
  #tellEmpty(): void {
    if (!this.#started && !this.#closed) this.#options.onNews(NO_NEWS);
  }

  async #emptyState(): Promise<EgressState> {
    const free = await freeBytesSoon(gatewayFolder(this.#options.dataDir));
    const nowMs = realClock.nowMs();
    return { buffer: new BufferGauge(this.#settings, () => free).state(new Rates(nowMs), null, nowMs), targets: [] };
  }

  #makeControl(): EgressControl {
    const call =
      <C extends EgressCallName>(name: C) =>
      async (args: GatewayCalls[C]['args']) =>
        (await this.#ask((id) => ({ kind: 'call', id, call: name, args }))) as GatewayCalls[C]['value'];
    return {
      // Polled every few seconds by an open page of the admin UI and by metrics collectors.
      'egress-state': (args) => (this.#started ? call('egress-state')(args) : this.#emptyState()),
      'egress-target-act': call('egress-target-act'),
      'egress-events': call('egress-events'),
      'egress-event': call('egress-event'),
      'egress-event-act': call('egress-event-act'),
      'egress-edit': call('egress-edit'),
      'egress-import': call('egress-import'),
    };
  }
}

import { SluiceError } from '#common/errors/catalogue.ts';
import { createHttpClient } from '../http/client.ts';
import type { HttpClient, HttpClientSettings } from '../http/contract.ts';
import { freeBytesOf } from '#common/node/disk-space.ts';
import { BufferGauge } from './buffer-gauge.ts';
import { type Clock, realClock } from './clock.ts';
import type { OutboxNews, OutboxSettings } from './contract.ts';
import { Control } from './control.ts';
import { DeliveryDispatcher } from './delivery-dispatcher.ts';
import {
  CLOSE_GRACE_MS,
  NEWS_MS,
  PENDING_EVENTS_MAX,
  QUEUES_FEW,
  QUEUES_MAX,
  QUEUES_SHARED,
  SHARES_LISTED_MAX,
  STORE_MS_MAX,
  TOO_LATE,
} from './limits.ts';
import { SenderConfigs, type StoredSenderConfig } from './sender-configs.ts';
import type { FromOutbox, PutEvent, ThreadOptions, ToOutbox } from './messages.ts';
import { Rates } from './rates.ts';
import { isDamage, openFile } from './schema.ts';
import { type EventOwner, OutboxShares } from './shares.ts';
import { type EventRow, OutboxStore } from './store.ts';
import { Target } from './target.ts';
import { GroupWriter } from './writer.ts';

/**
 * The outbox in its thread: the file, the sending, and the replies to the gateway's main thread. Created once the file
 * is open. An error thrown here ends the thread; a new thread continues from the file.
 */
export interface CoreParts extends ThreadOptions {
  tell(message: FromOutbox): void;
  /** Replaced in tests, as are `client` and `random`. */
  readonly clock?: Clock;
  readonly client?: HttpClient;
  random?(): number;
}

/** Pages released to the disk at a time, while nothing is sent. */
const SHRINK_PAGES = 256;

type ControlCall = (ToOutbox & { kind: 'call' })['call'];

const METHODS = {
  'egress-state': 'state',
  'egress-target-act': 'targetAct',
  'egress-events': 'events',
  'egress-event': 'event',
  'egress-event-act': 'eventAct',
  'egress-edit': 'edit',
  'egress-import': 'import',
} as const satisfies Record<ControlCall, keyof Control>;

export class OutboxCore {
  readonly #tell: CoreParts['tell'];
  readonly #clock: Clock;
  readonly #store: OutboxStore;
  readonly #writer: GroupWriter;
  readonly #client: HttpClient;
  readonly #gauge: BufferGauge;
  readonly #rates: Rates;
  readonly #shares = new OutboxShares();
  /** Owners whose events were refused because their share is full, until it no longer is; by project and target. */
  readonly #shareFull = new Map<string, EventOwner & { readonly origin: string }>();
  readonly #dispatcher: DeliveryDispatcher;
  readonly #lines: SenderConfigs;
  readonly #control: Control;
  #cancelTick: () => void = () => undefined;
  #settings: OutboxSettings;
  #waiting = { events: 0, bytes: 0 };
  #queues = 0;
  readonly #doubtful = new Set<string>();
  /** Stored by the current commit, or by the last one until `#takenBack`. */
  #unjudged: { readonly seq: number; readonly event: PutEvent }[] = [];
  /** Of the last commit. */
  #late = new Set<number>();
  #stored: number[] = [];
  #lastNews = '';

  /** Throws an Error with a plain message if the file cannot be opened. */
  constructor({ file, key, settings, tell, clock = realClock, client, random = Math.random }: CoreParts) {
    this.#tell = tell;
    this.#clock = clock;
    this.#settings = settings;
    const store = new OutboxStore(openFile(file, key));
    this.#store = store;
    this.#writer = new GroupWriter(
      (work) => store.atomically(work),
      clock,
      (trouble) => this.#trouble(trouble),
    );
    this.#client = client ?? createHttpClient(clientSettings(settings));
    this.#gauge = new BufferGauge(settings, () => this.#freeBytes(file));
    this.#rates = new Rates(clock.nowMs());
    this.#dispatcher = new DeliveryDispatcher({
      store,
      writer: this.#writer,
      client: this.#client,
      gauge: this.#gauge,
      shares: this.#shares,
      rates: this.#rates,
      clock,
      random,
      drainRate: () => this.#settings.drainRate,
      secrets: (line) => this.#lines.secrets(line),
      project: (line) => this.#lines.project(line),
      notify: (ticket, outcome) => tell({ kind: 'outcome', ticket, outcome }),
      log: (level, text, fields) => tell({ kind: 'log', level, text, fields }),
    });
    this.#lines = new SenderConfigs(store, this.#dispatcher, this.#shares, clock, (reason) =>
      this.#log('error', 'the outbox cannot read how events are sent: its disk fails, or the file is damaged', {
        reason,
      }),
    );
    this.#control = new Control({
      store,
      writer: this.#writer,
      dispatcher: this.#dispatcher,
      lines: this.#lines,
      gauge: this.#gauge,
      shares: this.#shares,
      rates: this.#rates,
      clock,
    });
    try {
      this.#load();
    } catch (error) {
      store.close();
      throw error;
    }
  }

  /** Starts sending the contents of the file. Called once. */
  begin(): void {
    this.#everySecond();
    this.#dispatcher.pumpAll();
  }

  handle(message: Exclude<ToOutbox, { kind: 'close' }>): void {
    switch (message.kind) {
      case 'line':
        return this.#lines.open(message.handle, message.line);
      case 'release':
        return this.#lines.release(message.handle);
      case 'put':
        return message.events.forEach((event) => this.#put(event));
      case 'unwait':
        return this.#dispatcher.unwait(message.id);
      case 'settings':
        this.#configure(message.settings);
        return this.#tell({ kind: 'reply', id: message.id });
      case 'call':
        return void this.#answer(message);
    }
  }

  async close(): Promise<void> {
    this.#cancelTick();
    await this.#dispatcher.close(CLOSE_GRACE_MS);
    this.#writer.flush();
    this.#writer.close();
    this.#client.close();
    this.#store.close();
  }

  /** Resumes from the file: every event that was in progress is queued. */
  #load(): void {
    this.#store.sweep();
    const nowMs = this.#clock.nowMs();
    for (const row of this.#store.targets()) this.#dispatcher.targets.set(row.id, new Target(row, nowMs));
    for (const { target: id, line, state, count, bytes, newest } of this.#store.totals()) {
      const target = this.#dispatcher.targets.get(id);
      this.#gauge.change(count, bytes);
      this.#shares.change({ project: this.#projectOf(line), target: id }, count, bytes);
      target?.restoreTotals(state, count, bytes, newest);
    }
    for (const { target: id, queue, count } of this.#store.queues()) {
      this.#dispatcher.targets.get(id)?.restoreQueue(queue, count);
    }
  }

  /** Empty if its page is damaged: the other data must still be loaded. */
  #projectOf(line: number): string {
    try {
      return this.#lines.project(line);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return '';
    }
  }

  /** Null: unknown. */
  #freeBytes(place: string): number | null {
    const free = freeBytesOf(place);
    return free === null ? null : free + this.#store.unusedBytes();
  }

  // ── Storing ───────────────────────────────────────────────────────────────────────────────────────────────────

  #put(event: PutEvent): void {
    const { ticket, id, body } = event;
    let line: StoredSenderConfig;
    try {
      line = this.#lines.use(event.line);
    } catch (error) {
      return this.#refuse(
        ticket,
        `the event was not stored: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    const { path, contentType, orderingKey, traceparent, acceptedAt: acceptedAtMs } = event;
    const content = { path, contentType, orderingKey, traceparent, body };
    const { target, method, project } = line;
    const owner = { project, target: target.id };
    const refuse = (text: string) => this.#tell({ kind: 'outcome', ticket, outcome: { kind: 'full', text } });
    // Before it is encrypted: an event that is refused for a full share must not delay the events of others.
    const early = this.#noRoom(owner, target.origin, body?.byteLength ?? 0);
    if (early !== null) return refuse(early);
    const row = this.#store.seal({ id, target: target.id, line: line.id, acceptedAtMs, method, content }, 'queued');
    const refusal = this.#tooMany(target, row.queue) ?? this.#noRoom(owner, target.origin, row.bytes);
    if (refusal !== null) return refuse(refusal);
    this.#write(event, target, owner, row);
  }

  #noRoom(owner: EventOwner, origin: string, bytes: number): string | null {
    const full = this.#gauge.refusal(bytes, this.#waiting, this.#clock.nowMs());
    return full ?? this.#beyondShare(owner, origin, bytes);
  }

  #beyondShare(owner: EventOwner, origin: string, bytes: number): string | null {
    const refusal = this.#shares.refusal(owner, origin, bytes, this.#settings);
    if (refusal !== null) this.#shareFull.set(`${owner.project} ${owner.target}`, { ...owner, origin });
    return refusal;
  }

  #tooMany(target: Target, queue: string): string | null {
    if (target.queues.has(queue) || this.#queues < QUEUES_SHARED) return null;
    if (this.#queues >= QUEUES_MAX) return `the outbox is full: events of ${QUEUES_MAX} ordering keys wait`;
    if (target.queues.size < QUEUES_FEW) return null;
    return `the outbox is full: events of ${this.#queues} ordering keys wait, ${target.queues.size} of them for ${target.origin}`;
  }

  #write(event: PutEvent, target: Target, owner: EventOwner, row: Omit<EventRow, 'seq'>): void {
    const store = this.#store;
    const { ticket, id } = event;
    const deadlineMs = this.#clock.nowMs() + event.waitMs;
    this.#expect(1, row.bytes);
    this.#shares.change(owner, 1, row.bytes);
    const refuse = (text: string): void => {
      this.#shares.change(owner, -1, -row.bytes);
      this.#refuse(ticket, text);
    };
    let seq: number | null = null;
    this.#writer.add({
      apply: () => {
        if (isLate(event, this.#clock)) return;
        seq = store.insert(row);
        this.#unjudged.push({ seq, event });
      },
      committed: () => {
        this.#expect(-1, -row.bytes);
        if (seq === null || this.#takenBack().has(seq)) return refuse(TOO_LATE);
        this.#gauge.change(1, row.bytes);
        this.#rates.add(this.#clock.nowMs(), { accepted: 1, bytesIn: row.bytes });
        this.#tellStored(ticket);
        this.#dispatcher.accepted(target, { ...row, seq }, { ticket, deadlineMs });
      },
      failed: (text) => {
        this.#unjudged = [];
        this.#expect(-1, -row.bytes);
        this.#takeBackLater(id);
        refuse(`the event was not stored: ${text}`);
      },
    });
  }

  /** If a failed commit has reached the disk nevertheless, its events are removed before they are sent. */
  #takeBackLater(id: string): void {
    if (this.#doubtful.size >= PENDING_EVENTS_MAX) return;
    this.#doubtful.add(id);
    if (this.#doubtful.size > 1) return;
    const store = this.#store;
    const doubtful = this.#doubtful;
    this.#writer.add({
      apply: () => doubtful.forEach((one) => store.removeById(one)),
      committed: () => doubtful.clear(),
    });
  }

  /**
   * Events of the last commit that came too late. Their nodes were notified, or will be, that the events are not
   * stored, so they must be removed before anything is sent. All are removed in one commit: after a disk that hung, a
   * commit for each would keep it busy until the next events are late too.
   */
  #takenBack(): ReadonlySet<number> {
    if (this.#unjudged.length === 0) return this.#late;
    this.#late = new Set();
    // The removal takes time as well.
    for (let late = this.#judge(); late.length > 0; late = this.#judge()) this.#takeBack(late);
    this.#unjudged = [];
    return this.#late;
  }

  /** Returns the late ones, and keeps the others. */
  #judge(): number[] {
    const { late = [], inTime = [] } = Object.groupBy(this.#unjudged, ({ event }) =>
      isLate(event, this.#clock) ? 'late' : 'inTime',
    );
    this.#unjudged = inTime;
    return late.map(({ seq }) => seq);
  }

  /** Events that cannot be removed are sent. */
  #takeBack(late: readonly number[]): void {
    try {
      this.#store.atomically(() => late.forEach((seq) => this.#store.remove(seq)));
      for (const seq of late) this.#late.add(seq);
    } catch {
      // Mandatory writes report errors of the disk.
    }
  }

  #refuse(ticket: number, text: string): void {
    this.#tell({ kind: 'outcome', ticket, outcome: { kind: 'unavailable', text } });
  }

  #expect(events: number, bytes: number): void {
    this.#waiting = { events: this.#waiting.events + events, bytes: this.#waiting.bytes + bytes };
  }

  /** One message for a whole commit. */
  #tellStored(ticket: number): void {
    if (this.#stored.length === 0)
      queueMicrotask(() => this.#tell({ kind: 'stored', tickets: this.#stored.splice(0) }));
    this.#stored.push(ticket);
  }

  // ── Settings, users, reports ──────────────────────────────────────────────────────────────────────────────────

  #configure(settings: OutboxSettings): void {
    this.#settings = settings;
    this.#gauge.configure(settings);
    this.#client.configure(clientSettings(settings));
    this.#dispatcher.pumpAll();
  }

  async #answer({ id, call, args }: ToOutbox & { kind: 'call' }): Promise<void> {
    try {
      this.#tell({ kind: 'reply', id, value: await this.#ask(call, args) });
    } catch (error) {
      // After an unexpected error, memory and file may differ: the thread ends, and its successor continues from the file.
      if (!(error instanceof SluiceError)) throw error;
      this.#tell({ kind: 'reply', id, error: { code: error.code, detail: error.message, errors: error.errors } });
    }
  }

  #ask(call: ControlCall, args: unknown): unknown {
    const act = this.#control[METHODS[call]] as (args: unknown) => unknown;
    return act.call(this.#control, args);
  }

  #everySecond(): void {
    this.#cancelTick = this.#clock.after(NEWS_MS, () => {
      this.#everySecond();
      this.#dispatcher.tick();
      this.#dispatcher.pumpAll();
      this.#count();
      this.#sendUpdate();
    });
  }

  #count(): void {
    const targets = [...this.#dispatcher.targets.values()];
    this.#queues = targets.reduce((sum, { queues }) => sum + queues.size, 0);
    if (!this.#dispatcher.isIdle || this.#writer.unsettled > 0) return;
    try {
      this.#store.shrink(SHRINK_PAGES);
    } catch {
      // Tried again in the next second; mandatory writes report a failing disk.
    }
  }

  #sendUpdate(): void {
    const targets = [...this.#dispatcher.targets.values()];
    const { trouble } = this.#gauge.state(
      this.#rates,
      this.#writer.trouble ?? this.#lines.trouble,
      this.#clock.nowMs(),
    );
    const news: OutboxNews = {
      paused: targets.flatMap(({ origin, pause }) =>
        pause === null ? [] : [{ target: origin, reason: pause.reason, by: pause.by }],
      ),
      dead: targets.reduce((sum, { dead }) => sum + dead, 0),
      filled: Math.floor(this.#gauge.filled * 100) / 100,
      trouble,
      sendsHeldBy: this.#dispatcher.crowdedBy(),
      shareFull: this.#fullShares(),
    };
    const text = JSON.stringify(news);
    if (text === this.#lastNews) return;
    this.#lastNews = text;
    this.#tell({ kind: 'news', news });
  }

  #fullShares(): OutboxNews['shareFull'] {
    for (const [name, owner] of this.#shareFull)
      if (!this.#shares.isFull(owner, this.#settings)) this.#shareFull.delete(name);
    return [...this.#shareFull.values()]
      .slice(0, SHARES_LISTED_MAX)
      .map(({ project, origin }) => ({ project, target: origin }));
  }

  #trouble(trouble: string | null): void {
    if (trouble === null) this.#log('info', 'the outbox can be written again', {});
    else this.#log('error', 'the outbox cannot be written; events are refused', { reason: trouble });
  }

  #log(level: 'info' | 'error', text: string, fields: Readonly<Record<string, unknown>>): void {
    this.#tell({ kind: 'log', level, text, fields });
  }
}

/** After this time the main thread reports in any case that the event is not stored. */
function isLate({ putAtMs, waitMs }: PutEvent, clock: Clock): boolean {
  return clock.sharedMs() - putAtMs >= Math.min(waitMs, STORE_MS_MAX);
}

function clientSettings({ allowedInternalTargets, proxy, proxyTargets }: OutboxSettings): HttpClientSettings {
  return { allowedInternalTargets, proxy, proxyTargets };
}

import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { MessagePort, WorkerOptions } from 'node:worker_threads';
import type { ChainHead, ChainName } from '#common/model/audit.ts';
import type { JournalFaults } from './file-ops.ts';
import { SEGMENT_BYTES_MAX } from './format.ts';
import type { FromThread, RingState, ThreadData, ToThread, WriterConfig } from './messages.ts';
import type { RingSlot } from './ring.ts';

/**
 * The writer of a chain, main-thread side. Rows of one event-loop turn are joined to one text and posted to the
 * writer's thread, which acknowledges by number; then the callbacks run.
 *
 * States: `ok` → `unavailable` (a write failed, a batch was unacknowledged for 800 ms, or the thread ended) → `ok` with
 * the next success. While unavailable, every append fails immediately and a probe tests the disk four times a second.
 *
 * Limits: 32 MiB of unacknowledged rows; 1 MiB per batch; a callback is called once, at the latest after 800 ms plus
 * the check interval. Batches whose callers were answered are cancelled: a thread that hung does not write them, except
 * the one in progress. For that one, `lateRow` records it in the chain.
 *
 * Measured (two cores, HTTP server and writer's thread on one, 64 connections, two rows per request, CPU µs per
 * request, best of three): without a journal 44–50; this design 46–53; a shared-memory ring with Atomics.wait and
 * waitAsync 50–57; posting per microtask or tick instead of per turn 55–73, with batches of 2 rows instead of 38. On
 * one connection the ring replies up to a third sooner, which does not justify its second memory protocol.
 */
export interface ChainWriter {
  /**
   * Appends one row (JSON text without line feed; `time` and `type` first, see format.ts). `done(true)` once it is in
   * the file (`power`: synced).
   */
  append(line: string, done: (ok: boolean) => void): void;
  /** Appends with data that only the gateway has: a ring slot, a ring mark. `line` may be null (slot only). */
  appendWith(line: string | null, extra: AppendExtra, done: (ok: boolean) => void): void;
  configure(config: WriterConfig): void;
  readonly state: 'ok' | 'unavailable';
  /** The latest reason why it is unavailable; null while it is ok. */
  readonly reason: string | null;
  /** The newest batch that is known to be synced. */
  readonly head: ChainHead | null;
  readonly ring: RingState | null;
  close(): Promise<void>;
}

export interface AppendExtra {
  slot?: RingSlot;
  /** All refusals up to this sequence are accounted for by rows of this batch or earlier ones. */
  mark?: number;
  /** The final outcome of the batch, unlike `done`, which gives up after 800 ms. */
  settled?: (ok: boolean) => void;
}

export interface WriterOptions extends WriterConfig {
  /** How the journal's thread is started; by default with the rights of this one. */
  startThread?: (url: URL, options: WorkerOptions) => Worker;
  /** `<data>/journal` */
  folder: string;
  chain: ChainName;
  /** Whether to keep a ring of refusals beside the segments. */
  ring?: boolean;
  onHead(head: ChainHead, clean: boolean): void;
  onState(state: 'ok' | 'unavailable', reason: string | null): void;
  /** Errors that lose no data (a failed sync). */
  onWarning?(reason: string): void;
  /** Creates the row that is written if `line` reached the file after its caller had received 503; null: no row. */
  lateRow?(line: string): string | null;
  /**
   * The thread opened the chain (again, after it had ended). `found`: the last batch before; without one, number 0 and
   * 64 zeros.
   */
  onOpened?(ring: RingState | null, found: ChainHead): void;
  /** For tests. */
  durableEveryMs?: number;
  segmentBytesMax?: number;
  ackMsMax?: number;
  faults?: JournalFaults;
}

export const ACK_MS_MAX = 800;
const CHECK_MS = 50;
const PROBE_MS = 250;
const RESPAWN_MS = 1_000;
const OPEN_MS_MAX = 5_000;
const CLOSE_MS_MAX = 5_000;
const DURABLE_EVERY_MS = 10_000;
const BATCH_CHARS_MAX = 1024 ** 2;
const UNACKNOWLEDGED_CHARS_MAX = 32 * 1024 ** 2;
const LATE_ROWS_MAX = 1_000;

interface Batch {
  number: number;
  postedAtMs: number;
  text: string;
  chars: number;
  dones: ((ok: boolean) => void)[] | null;
  settled: readonly ((ok: boolean) => void)[];
  mark: number;
}

const NOBODY: readonly ((ok: boolean) => void)[] = [];

/** Resolves when the chain is open, or `unavailable` after 5 s: it is then opened as soon as the disk allows. */
export async function openWriter(options: WriterOptions): Promise<ChainWriter> {
  const writer = new Writer(options);
  await writer.opening;
  return writer;
}

class Writer implements ChainWriter {
  readonly #options: WriterOptions;
  readonly #cancelled = new SharedArrayBuffer(8);
  #config: WriterConfig;
  #port: MessagePort | null = null;
  #worker: Worker | null = null;
  readonly opening: Promise<void>;
  #openedOnce: () => void = () => {};
  #state: 'ok' | 'unavailable' = 'unavailable';
  #reason: string | null = null;
  #head: ChainHead | null = null;
  #ring: RingState | null = null;
  #closing: { done: () => void } | null = null;

  // The batch of the current turn.
  #text = '';
  #dones: ((ok: boolean) => void)[] = [];
  #slots: RingSlot[] = [];
  #settled: ((ok: boolean) => void)[] = [];
  #mark = 0;
  #scheduled = false;

  #posted = 0;
  /** Posted and not acknowledged, oldest first; `dones` is null once the callers have been answered. */
  readonly #waiting: Batch[] = [];
  /**
   * Batches of a thread that ended: answered, but whether they were written is known only when the chain is open again.
   */
  readonly #lost: Batch[] = [];
  /** Late rows that failed: written when the journal is available again. */
  readonly #late: string[] = [];
  #waitingChars = 0;
  #checkTimer: NodeJS.Timeout | null = null;
  #probeTimer: NodeJS.Timeout | null = null;
  readonly #flush = () => this.#post();
  readonly #check = () => this.#checkAcks();

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#config = { durability: options.durability };
    this.opening = new Promise((resolve) => {
      const timer = setTimeout(() => this.#unavailable('the disk does not answer'), OPEN_MS_MAX);
      this.#openedOnce = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#spawn();
  }

  get state(): 'ok' | 'unavailable' {
    return this.#state;
  }

  get reason(): string | null {
    return this.#reason;
  }

  get head(): ChainHead | null {
    return this.#head;
  }

  get ring(): RingState | null {
    return this.#ring;
  }

  append(line: string, done: (ok: boolean) => void): void {
    if (this.#refuses(done)) return;
    this.#text += `${line}\n`;
    this.#dones.push(done);
    this.#schedule();
  }

  appendWith(line: string | null, extra: AppendExtra, done: (ok: boolean) => void): void {
    if (this.#refuses(done)) {
      if (extra.settled) process.nextTick(extra.settled, false);
      return;
    }
    if (line !== null) this.#text += `${line}\n`;
    if (extra.slot) this.#slots.push(extra.slot);
    if (extra.mark !== undefined) this.#mark = extra.mark;
    if (extra.settled) this.#settled.push(extra.settled);
    this.#dones.push(done);
    this.#schedule();
  }

  configure(config: WriterConfig): void {
    this.#config = { durability: config.durability };
    this.#port?.postMessage({ kind: 'configure', config: this.#config } satisfies ToThread);
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#post();
    const closed = new Promise<void>((resolve) => (this.#closing = { done: resolve }));
    const timer = setTimeout(() => this.#closed(), CLOSE_MS_MAX);
    this.#port?.postMessage({ kind: 'close' } satisfies ToThread);
    if (this.#port === null) this.#closed();
    await closed;
    clearTimeout(timer);
    this.#receiveAll();
    this.#state = 'unavailable';
    this.#failWaiting();
    for (const batch of [...this.#lost.splice(0), ...this.#waiting.splice(0)]) settle(batch, false);
    if (this.#checkTimer) clearTimeout(this.#checkTimer);
    if (this.#probeTimer) clearTimeout(this.#probeTimer);
    this.#port?.close();
    // A thread that hangs in a system call ends when the call returns; nobody waits for it.
    void this.#worker?.terminate();
  }

  #closed(): void {
    this.#closing?.done();
  }

  #refuses(done: (ok: boolean) => void): boolean {
    if (this.#state === 'ok' && this.#waitingChars < UNACKNOWLEDGED_CHARS_MAX && !this.#closing) return false;
    process.nextTick(done, false);
    return true;
  }

  #schedule(): void {
    if (this.#text.length > BATCH_CHARS_MAX) return this.#post();
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#flush);
  }

  #post(): void {
    this.#scheduled = false;
    if (this.#dones.length === 0) return;
    const text = this.#text;
    const slots = this.#slots;
    const mark = this.#mark;
    // Never the array of the next batch.
    const settled = this.#settled.length > 0 ? this.#settled : NOBODY;
    const batch = { text, chars: text.length, dones: this.#dones, settled, mark };
    this.#text = '';
    this.#dones = [];
    if (slots.length > 0) this.#slots = [];
    if (settled !== NOBODY) this.#settled = [];
    this.#mark = 0;
    const plain = slots.length === 0 && mark === 0;
    this.#send(plain ? text : { kind: 'batch', text, slots, mark: mark === 0 ? null : mark }, batch);
  }

  #send(message: ToThread, batch: Omit<Batch, 'number' | 'postedAtMs'>): void {
    this.#posted += 1;
    this.#waiting.push({ number: this.#posted, postedAtMs: performance.now(), ...batch });
    this.#waitingChars += batch.chars;
    this.#port?.postMessage(message);
    this.#checkTimer ??= setTimeout(this.#check, CHECK_MS);
  }

  #receive(message: FromThread): void {
    if (typeof message === 'number') return this.#acknowledged(message, true);
    switch (message.kind) {
      case 'failed':
        this.#unavailable(message.reason);
        return this.#acknowledged(message.upTo, false);
      case 'skipped':
        return this.#acknowledged(message.upTo, false);
      case 'opened':
        return this.#opened(message.ring, message.found);
      case 'head':
        this.#head = message.head;
        return this.#options.onHead(message.head, message.clean);
      case 'warning':
        return this.#options.onWarning?.(message.reason);
      case 'closed':
        return this.#closed();
    }
  }

  #opened(ring: RingState | null, found: ChainHead): void {
    // A batch that a lost thread may have written: its ring mark shows whether it did.
    for (const batch of this.#lost.splice(0)) {
      settle(batch, batch.mark > 0 && batch.mark <= (ring?.accounted ?? 0));
    }
    this.#ring = ring;
    this.#available();
    this.#options.onOpened?.(ring, found);
  }

  #acknowledged(upTo: number, ok: boolean): void {
    const waiting = this.#waiting;
    let count = 0;
    for (; count < waiting.length && (waiting[count]?.number ?? 0) <= upTo; count++);
    if (ok && this.#state !== 'ok') this.#available();
    for (const batch of waiting.splice(0, count)) {
      this.#waitingChars -= batch.chars;
      if (batch.dones) for (const done of batch.dones) done(ok);
      else if (ok) this.#reportLate(batch.text);
      settle(batch, ok);
    }
  }

  /** Records, once per row, that rows reached the file although their callers received 503. */
  #reportLate(text: string): void {
    const { lateRow } = this.#options;
    if (!lateRow) return;
    for (const line of text.split('\n', LATE_ROWS_MAX)) {
      const row = line === '' ? null : lateRow(line);
      if (row !== null) this.#appendLate(row);
    }
  }

  #appendLate(row: string): void {
    const settled = (ok: boolean) => {
      if (!ok && this.#late.length < LATE_ROWS_MAX) this.#late.push(row);
    };
    this.appendWith(row, { settled }, () => {});
  }

  #checkAcks(): void {
    this.#checkTimer = null;
    // After a long turn of the main thread the replies may already have arrived.
    this.#receiveAll();
    const oldest = this.#waiting.find((batch) => batch.dones !== null);
    if (oldest && performance.now() - oldest.postedAtMs >= (this.#options.ackMsMax ?? ACK_MS_MAX)) {
      this.#unavailable('the disk does not answer');
      this.#failWaiting();
    }
    if (this.#waiting.some((batch) => batch.dones !== null)) this.#checkTimer ??= setTimeout(this.#check, CHECK_MS);
  }

  #receiveAll(): void {
    const port = this.#port;
    if (port === null) return;
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
      this.#receive(next.message as FromThread);
    }
  }

  /** Answers all waiting callers, and cancels batches that the thread has not begun. */
  #failWaiting(): void {
    Atomics.store(new BigInt64Array(this.#cancelled), 0, BigInt(this.#posted));
    const dones = this.#dones;
    this.#dones = [];
    this.#text = '';
    this.#slots = [];
    // Otherwise the next row would report the counts of this one as accounted for.
    this.#mark = 0;
    for (const settled of this.#settled.splice(0)) settled(false);
    for (const batch of this.#waiting) {
      if (batch.dones) dones.push(...batch.dones);
      batch.dones = null;
    }
    for (const done of dones) done(false);
  }

  #available(): void {
    this.#openedOnce();
    if (this.#state === 'ok' || this.#closing) return;
    this.#state = 'ok';
    this.#reason = null;
    this.#options.onState('ok', null);
    for (const row of this.#late.splice(0)) this.#appendLate(row);
  }

  #unavailable(reason: string): void {
    this.#openedOnce();
    if (this.#closing) return;
    this.#probeTimer ??= setTimeout(() => this.#probe(), PROBE_MS);
    const isKnown = this.#state === 'unavailable' && this.#reason !== null;
    this.#state = 'unavailable';
    this.#reason = reason;
    if (!isKnown) this.#options.onState('unavailable', reason);
  }

  /** One probe at a time: a hung thread gets no further ones. */
  #probe(): void {
    this.#probeTimer = null;
    if (this.#state === 'ok' || this.#closing) return;
    if (this.#waiting.length === 0 && this.#port) {
      this.#send({ kind: 'probe' }, { text: '', chars: 0, dones: null, settled: NOBODY, mark: 0 });
    }
    this.#probeTimer = setTimeout(() => this.#probe(), PROBE_MS);
  }

  #spawn(): void {
    const options = this.#options;
    const { port1, port2 } = new MessageChannel();
    const data: ThreadData = {
      folder: options.folder,
      chain: options.chain,
      cancelled: this.#cancelled,
      config: this.#config,
      ring: options.ring ?? false,
      durableEveryMs: options.durableEveryMs ?? DURABLE_EVERY_MS,
      segmentBytesMax: options.segmentBytesMax ?? SEGMENT_BYTES_MAX,
      faults: options.faults ? { module: options.faults.module, shared: options.faults.shared } : null,
      firstMessage: this.#posted + 1,
      port: port2,
    };
    const url = new URL('./writer-worker.ts', import.meta.url);
    const started: WorkerOptions = { workerData: data, transferList: [port2], name: `journal-${options.chain}` };
    this.#worker = options.startThread?.(url, started) ?? new Worker(url, started);
    this.#port = port1;
    port1.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#ended(port1, error instanceof Error ? error.message : String(error)));
    this.#worker.on('exit', () => this.#ended(port1, 'the journal thread ended'));
  }

  #ended(port: MessagePort, reason: string): void {
    if (this.#closing) return this.#closed();
    if (this.#port !== port) return;
    // Its acknowledged writes remain valid.
    this.#receiveAll();
    port.close();
    this.#port = null;
    this.#unavailable(reason);
    this.#failWaiting();
    this.#lost.push(...this.#waiting.splice(0).filter((batch) => batch.settled.length > 0));
    this.#waitingChars = 0;
    setTimeout(() => {
      if (!this.#closing) this.#spawn();
    }, RESPAWN_MS);
  }
}

function settle(batch: Batch, ok: boolean): void {
  for (const settled of batch.settled) settled(ok);
}

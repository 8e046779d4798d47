import type { Logger } from '#common/node/log.ts';
import { mayExist } from '#common/node/may-exist.ts';
import { WorkerThread } from '#common/node/worker-thread.ts';
import type { Encoded } from '../form.ts';
import { BATCH_MS, BATCH_POINTS_MAX } from '../limits.ts';
import type { FromWriter, ToWriter, WriterOptions } from './messages.ts';
import { PointQueue, type SeriesRef } from './point-queue.ts';

/**
 * The client of the writing thread in the gateway. The thread is started with the gateway if there is a file, whose old
 * points must be removed, otherwise by `start`: without a recorded tag its 12 MB would be wasted.
 *
 * Points are collected for BATCH_MS, or until BATCH_POINTS_MAX wait, and committed together; one batch is written at a
 * time. A batch that fails (disk full, file damaged, thread lost) stays the next one and is tried every RETRY_MS.
 * Limits: PointQueue limits the waiting points; beyond that, `add` refuses, and refused points are counted and logged.
 * A crash of the process or the machine loses the waiting points and the current batch, but nothing before.
 */
const RETRY_MS = 1_000;
const DROPPED_LOG_MS = 60_000;
/** The gateway must exit within 500 ms after its host. */
const CLOSE_FLUSH_MS_MAX = 250;
const CLOSE_MS_MAX = 150;

export class HistoryWriter {
  readonly #options: WriterOptions;
  readonly #log: Logger;
  readonly #queue: PointQueue;
  #thread: WorkerThread<ToWriter, FromWriter> | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** True while the timer is that of a retry, which is never brought forward. */
  #resting = false;
  #asked = 0;
  #batch: number | null = null;
  /** The collection time ended while another batch was being written. */
  #overdue = false;
  /** Projects to be deleted before anything else is written, each with the ID of its request once it is sent. */
  readonly #forgets = new Map<string, number | null>();
  #waiters: (() => void)[] = [];
  #trouble: string | null = null;
  #dropped = 0;
  #droppedToldAt = -Infinity;
  #started = false;
  #opened = false;
  #closed = false;

  constructor(options: WriterOptions, log: Logger, queuePointsMax?: number) {
    this.#options = options;
    this.#log = log;
    this.#queue = new PointQueue(queuePointsMax);
    if (mayExist(options.file)) this.start();
  }

  /** Starts the thread, which creates the file; returns immediately if it is running. */
  start(): void {
    if (!this.#started && !this.#closed) this.#start();
  }

  /** True once the file exists. */
  get opened(): boolean {
    return this.#opened;
  }

  /** False if the point cannot be accepted: the queue is full. */
  add(series: SeriesRef, time: number, encoded: Encoded): boolean {
    if (this.#closed) return false;
    this.start();
    const taken = this.#queue.add(series, time, encoded);
    if (!taken) this.#drop();
    else if (this.#queue.waiting >= BATCH_POINTS_MAX) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), BATCH_MS);
    return taken;
  }

  /** Resolves when everything added so far is on disk, after `msMax`, or immediately while nothing can be written. */
  async flush(msMax: number): Promise<void> {
    if (!this.#started || this.#idle || this.#trouble !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.push(resolve);
    const timer = setTimeout(resolve, msMax);
    this.#send();
    await promise;
    clearTimeout(timer);
    this.#waiters = this.#waiters.filter((waiter) => waiter !== resolve);
  }

  /**
   * The project's points can no longer be read once this is done; it is retried until then. Without a file there are no
   * points.
   */
  forget(project: string): void {
    if (!this.#started) return;
    this.#forgets.set(project, null);
    this.#send();
  }

  async close(): Promise<void> {
    await this.flush(CLOSE_FLUSH_MS_MAX);
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#thread?.close({ kind: 'close' }, CLOSE_MS_MAX);
  }

  get #idle(): boolean {
    return this.#opened && this.#queue.empty && this.#forgets.size === 0;
  }

  #start(): void {
    this.#started = true;
    this.#thread = new WorkerThread(
      new URL('./thread.ts', import.meta.url),
      { name: 'history-writer', workerData: this.#options },
      { onMessage: (message) => this.#received(message), onLost: (reason) => this.#lost(reason) },
    );
  }

  #lost(reason: string): void {
    this.#thread = null;
    this.#failed(reason);
  }

  #received(message: FromWriter): void {
    if ('retention' in message) return this.#retention(message.retention);
    if (message.error !== null) return this.#failed(message.error);
    this.#opened = true;
    for (const [project, id] of this.#forgets) if (id === message.id) this.#forgets.delete(project);
    if (message.id === this.#batch) this.#written();
    if (this.#trouble !== null) this.#log.info('the history is recorded again');
    this.#trouble = null;
    this.#rest();
  }

  #rest(): void {
    if (this.#idle) for (const done of this.#waiters.splice(0)) done();
  }

  #written(): void {
    this.#batch = null;
    this.#queue.written();
    if (this.#queue.waiting >= BATCH_POINTS_MAX || this.#overdue || this.#waiters.length > 0) this.#send();
    else if (this.#queue.waiting > 0) this.#timer ??= setTimeout(() => this.#send(), BATCH_MS);
  }

  #failed(error: string): void {
    if (this.#batch !== null) this.#queue.failed();
    this.#batch = null;
    for (const project of this.#forgets.keys()) this.#forgets.set(project, null);
    // While writing is impossible, flushes resolve immediately.
    for (const done of this.#waiters.splice(0)) done();
    if (this.#closed) return;
    if (this.#trouble === null) this.#log.error('the history cannot be written; Sluice retries', { reason: error });
    this.#trouble = error;
    clearTimeout(this.#timer);
    this.#resting = true;
    this.#timer = setTimeout(() => {
      this.#resting = false;
      this.#send();
    }, RETRY_MS);
  }

  #send(): void {
    if (this.#resting || this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#thread === null) this.#start();
    for (const [project, id] of this.#forgets) {
      if (id !== null) continue;
      this.#forgets.set(project, ++this.#asked);
      this.#post({ kind: 'forget', id: this.#asked, project });
    }
    this.#overdue = this.#batch !== null;
    if (this.#overdue) return;
    const batch = this.#queue.take();
    if (batch === null) return this.#rest();
    this.#batch = ++this.#asked;
    this.#post({ kind: 'batch', id: this.#asked, batch });
  }

  #post(message: ToWriter): void {
    this.#thread?.post(message);
  }

  #drop(): void {
    this.#dropped += 1;
    const now = performance.now();
    if (now - this.#droppedToldAt < DROPPED_LOG_MS) return;
    this.#droppedToldAt = now;
    this.#log.error('points of the history were dropped: the disk is too slow', { dropped: this.#dropped });
  }

  #retention(error: string | null): void {
    if (error === null) this.#log.info('old points of the history are removed again');
    else this.#log.error('old points of the history cannot be removed', { reason: error });
  }
}

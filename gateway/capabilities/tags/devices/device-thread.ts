import { getCompileCacheDir } from 'node:module';
import { WorkerThread } from '#common/node/worker-thread.ts';
import {
  ORDERS_WAITING_MAX,
  PING_MS,
  PINGS_UNANSWERED_MAX,
  PINGS_UNANSWERED_STARTING_MAX,
  THREAD_END_MS_MAX,
  THREAD_RESOURCES,
} from './limits.ts';
import type { DeviceThreadOptions, FromThread, Order, Report, ToThread } from './messages.ts';

export interface ThreadEvents {
  ready(): void;
  report(report: Report): void;
  /** Called once, when it ended unexpectedly or was ended because it hung; no other callback follows. */
  lost(why: string): void;
}

export interface ThreadParts extends Omit<DeviceThreadOptions, 'compileCache'> {
  readonly pingMs?: number;
}

/**
 * The gateway's side of one thread: sends it orders in sequence, and checks whether it still responds.
 *
 * Orders of one turn are sent as one batch, the next one after that was received. Heartbeats are counted in turns of
 * this side's own timer, so that a stall of the whole process is not mistaken for one of the thread. Limits:
 * ORDERS_WAITING_MAX, PINGS_UNANSWERED_MAX, PINGS_UNANSWERED_STARTING_MAX, THREAD_RESOURCES. Security: the thread gets
 * no environment, and the output of libraries is discarded, because they print requests.
 */
export class DeviceThread {
  readonly #thread: WorkerThread<ToThread, FromThread>;
  readonly #events: ThreadEvents;
  readonly #pings: NodeJS.Timeout;
  #waiting: Order[] = [];
  #waiters: (() => void)[] = [];
  #takenBy: (() => void)[] = [];
  #ready = false;
  #underWay = false;
  #scheduled: NodeJS.Immediate | null = null;
  #unanswered = 0;
  #over = false;

  constructor({ dataDir, allowed, driversUrl, pingMs = PING_MS }: ThreadParts, events: ThreadEvents) {
    this.#events = events;
    const compileCache = getCompileCacheDir() ?? null;
    this.#thread = new WorkerThread(
      new URL('./thread.ts', import.meta.url),
      {
        name: 'devices',
        workerData: { dataDir, allowed, driversUrl, compileCache } satisfies DeviceThreadOptions,
        env: {},
        argv: [],
        stdout: true,
        stderr: true,
        resourceLimits: THREAD_RESOURCES,
      },
      { onMessage: (message) => this.#received(message), onLost: (reason) => this.#lost(reason) },
    );
    this.#pings = setInterval(() => this.#ping(), pingMs);
  }

  /** Resolves when the thread has ended. */
  get gone(): Promise<void> {
    return this.#thread.exited;
  }

  order(order: Order): void {
    if (this.#over) return;
    // The later of two lists of tags for the same provider is complete.
    if (order.do === 'configure')
      this.#waiting = this.#waiting.filter((one) => one.do !== 'configure' || one.id !== order.id);
    this.#waiting.push(order);
    if (this.#waiting.length > ORDERS_WAITING_MAX) return this.fail('it does not take its orders');
    this.#later();
  }

  /** Resolves when all orders so far were received, or when the thread has ended. */
  taken(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!this.#over && this.#waiting.length > 0) this.#waiters.push(resolve);
    else if (!this.#over && this.#underWay) this.#takenBy.push(resolve);
    else resolve();
    return promise;
  }

  /** Ends it as a hung thread. */
  fail(why: string): void {
    if (this.#over) return;
    void this.#thread.terminate();
    this.#lost(why);
  }

  /** Resolves when it has ended. */
  async end(): Promise<void> {
    this.#finish();
    await this.#thread.close({ kind: 'end' }, THREAD_END_MS_MAX);
  }

  #received(message: FromThread): void {
    if (this.#over) return;
    if (message.kind === 'ready') return this.#started();
    if (message.kind === 'taken') return this.#taken();
    this.#thread.post({ kind: 'taken' });
    this.#events.report(message);
  }

  #started(): void {
    this.#ready = true;
    this.#unanswered = 0;
    this.#events.ready();
  }

  #taken(): void {
    this.#underWay = false;
    this.#unanswered = 0;
    for (const resolve of this.#takenBy.splice(0)) resolve();
    if (this.#waiting.length > 0) this.#later();
  }

  #later(): void {
    if (this.#underWay) return;
    this.#scheduled ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = null;
    if (this.#over || this.#underWay) return;
    this.#underWay = true;
    const orders = this.#waiting;
    this.#waiting = [];
    this.#takenBy = this.#waiters.splice(0);
    this.#thread.post({ kind: 'orders', orders });
  }

  #ping(): void {
    if (!this.#underWay) return this.#flush();
    this.#unanswered += 1;
    const most = this.#ready ? PINGS_UNANSWERED_MAX : PINGS_UNANSWERED_STARTING_MAX;
    if (this.#unanswered >= most) this.fail('it does not answer');
  }

  #lost(why: string): void {
    if (this.#over) return;
    this.#finish();
    this.#events.lost(why);
  }

  #finish(): void {
    this.#over = true;
    clearInterval(this.#pings);
    if (this.#scheduled !== null) clearImmediate(this.#scheduled);
    this.#waiting = [];
    for (const resolve of [...this.#takenBy.splice(0), ...this.#waiters.splice(0)]) resolve();
  }
}

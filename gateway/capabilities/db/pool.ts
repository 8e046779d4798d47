/**
 * Sessions of one connection, kept for the next call.
 *
 * Why not the drivers' own pools: theirs resolve and connect without the target guard, differ in their behaviour when
 * all sessions are in use or the server is down, and one of the three drivers has none.
 *
 * States of a session: dialling → held → idle → held … → closed. Limits: `max` sessions; WAITERS_MAX waiting calls,
 * each ACQUIRE_MS_MAX (`db_pool_exhausted`); an idle session is closed after IDLE_MS_MAX, and one that was idle for
 * TRUSTED_IDLE_MS is tested first. A session whose address is no longer allowed ends immediately, even in use: a
 * statement may run for STATEMENT_MS_MAX, and the connection would stay open for that long after an administrator has
 * blocked it. A dial that fails while no session is left rejects all waiting calls, because no session would become
 * free for them.
 */
import type { PoolFigures } from '#common/control/messages.ts';
import type { Logger } from '#common/node/log.ts';
import { NodeError } from '#sdk';
import { settled } from './deadline.ts';
import { ACQUIRE_MS_MAX, IDLE_MS_MAX, TRUSTED_IDLE_MS, WAITERS_MAX } from './limits.ts';
import type { Session } from './session.ts';

export interface PoolOptions {
  readonly max: number;
  readonly open: () => Promise<Session>;
  readonly log: Logger;
}

interface Waiter {
  readonly resolve: (session: Session) => void;
  readonly reject: (error: unknown) => void;
}

export class SessionPool {
  readonly #options: PoolOptions;
  readonly #idle: { readonly session: Session; readonly since: number; readonly timer: NodeJS.Timeout }[] = [];
  readonly #waiters: Waiter[] = [];
  readonly #held = new Set<Session>();
  #dialling = 0;
  #closed = false;
  #reachable: boolean | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#held.size + this.#idle.length + this.#dialling;
  }

  get figures(): PoolFigures {
    return {
      max: this.#options.max,
      held: this.#held.size,
      idle: this.#idle.length,
      dialling: this.#dialling,
      waiting: this.#waiters.length,
      reachable: this.#reachable,
    };
  }

  /** Throws NodeError `db_pool_exhausted`, `db_unreachable`, `target_refused`. */
  async acquire(): Promise<Session> {
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      clearTimeout(kept.timer);
      this.#held.add(kept.session);
      if (await lives(kept.session, kept.since)) return kept.session;
      this.#drop(kept.session);
    }
    if (this.#closed) throw closedPool();
    return this.size < this.#options.max ? this.#dial() : this.#wait();
  }

  /** Returns a session; it is closed if it is not usable or not `clean`. */
  release(session: Session, clean: boolean): void {
    if (!clean || this.#closed || !session.usable || session.inTransaction) {
      this.#drop(session);
      this.#serveNext();
      return;
    }
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) {
      waiter.resolve(session);
      return;
    }
    this.#held.delete(session);
    const timer = setTimeout(() => this.#expire(session), IDLE_MS_MAX);
    timer.unref();
    this.#idle.push({ session, since: performance.now(), timer });
  }

  close(): void {
    this.#closed = true;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(closedPool());
    for (const { session, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      session.close();
    }
    for (const session of this.#held) session.close();
  }

  async #dial(): Promise<Session> {
    try {
      return await this.#open();
    } catch (error) {
      if (this.size === 0) for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
      throw error;
    }
  }

  async #open(): Promise<Session> {
    this.#dialling += 1;
    try {
      const session = await this.#options.open().catch((error: unknown) => {
        this.#reachable = false;
        throw error;
      });
      this.#reachable = true;
      if (this.#closed) {
        session.close();
        throw closedPool();
      }
      this.#held.add(session);
      return session;
    } finally {
      this.#dialling -= 1;
    }
  }

  #wait(): Promise<Session> {
    if (this.#waiters.length >= WAITERS_MAX)
      return Promise.reject(exhausted(`${WAITERS_MAX} calls wait for one already`));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(exhausted(`none became free within ${ACQUIRE_MS_MAX} ms`));
      };
      const timer = setTimeout(leave, ACQUIRE_MS_MAX);
      const waiter: Waiter = {
        resolve: (session) => {
          clearTimeout(timer);
          resolve(session);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#waiters.push(waiter);
    });
  }

  /** After a session has closed: dials for the call that has waited longest. */
  #serveNext(): void {
    if (this.#closed || this.#waiters.length === 0 || this.size >= this.#options.max) return;
    this.#dial().then(
      (session) => this.release(session, true),
      () => undefined,
    );
  }

  #drop(session: Session): void {
    this.#held.delete(session);
    session.close();
  }

  #expire(session: Session): void {
    const index = this.#idle.findIndex((kept) => kept.session === session);
    if (index >= 0) this.#idle.splice(index, 1);
    session.close();
  }
}

/** Nothing of the call was sent yet, so another session can be used if this one is dead. */
async function lives(session: Session, since: number): Promise<boolean> {
  if (!session.usable) return false;
  if (performance.now() - since < TRUSTED_IDLE_MS) return true;
  return settled(session.ping());
}

function exhausted(why: string): NodeError {
  return new NodeError('db_pool_exhausted', `all database connections are in use: ${why}`);
}

function closedPool(): NodeError {
  return new NodeError('db_unreachable', 'the connection was changed or removed; try again');
}

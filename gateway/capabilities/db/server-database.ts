import type { PoolFigures } from '#common/control/messages.ts';
import type { QueryResult } from '#common/model/named-query.ts';
import type { Logger } from '#common/node/log.ts';
import { NodeError } from '#sdk';
import type { Database, Limits, SqlValue, Statement } from './contract.ts';
import { type Deadline, settled, startDeadline } from './deadline.ts';
import { SessionPool } from './pool.ts';
import { RowCollector } from './rows.ts';
import type { Engine, Session } from './session.ts';
import { type BoundSql, bindSql } from './sql/rewrite.ts';
import {
  leavesSessionClean,
  mayBeCut,
  refuseInReadOnly,
  refuseInTransaction,
  refuseOutright,
} from './sql/statements.ts';

export interface ServerOptions {
  readonly poolMax: number;
  readonly log: Logger;
}

/** How to treat the session after a call. */
type Afterwards = 'keep' | 'reset' | 'close';

/**
 * A database on a server: a pool of sessions. Each is used by one call at a time, and ended together with a call whose
 * time is over.
 */
export class ServerDatabase implements Database {
  readonly #engine: Engine;
  readonly #pool: SessionPool;
  readonly #ending = new Set<Promise<void>>();

  constructor(engine: Engine, { poolMax, log }: ServerOptions) {
    this.#engine = engine;
    this.#pool = new SessionPool({ max: poolMax, open: () => engine.open(), log });
  }

  get schemaSql(): string {
    return this.#engine.schemaSql;
  }

  async run({ sql, params }: Statement, limits: Limits): Promise<QueryResult> {
    const bound = this.#bind(sql, params);
    const afterwards = leavesSessionClean(bound, this.#engine.dialect) ? 'keep' : 'close';
    return this.#with(limits, afterwards, (session) =>
      session.query(bound, new RowCollector(limits.rowsMax), mayBeCut(bound.keyword)),
    );
  }

  /** The session is closed afterwards, which ends the transaction: no settings of the statement remain. */
  async read({ sql, params }: Statement, limits: Limits): Promise<QueryResult> {
    const bound = this.#bind(sql, params);
    refuseInTransaction(bound.keyword, this.#engine.dialect);
    refuseInReadOnly(bound, this.#engine.dialect);
    return this.#with(limits, 'close', async (session) => {
      await session.beginReadOnly();
      return session.query(bound, new RowCollector(limits.rowsMax), mayBeCut(bound.keyword));
    });
  }

  async transaction(statements: readonly Statement[], limits: Limits): Promise<QueryResult[]> {
    const bounds = statements.map(({ sql, params }) => this.#bind(sql, params));
    for (const { keyword } of bounds) refuseInTransaction(keyword, this.#engine.dialect);
    const clean = bounds.every((bound) => leavesSessionClean(bound, this.#engine.dialect));
    return this.#with(limits, clean ? 'keep' : 'close', (session, deadline) =>
      allOrNone(session, deadline, bounds, limits.rowsMax),
    );
  }

  async procedure(name: string, params: ReadonlyMap<string, SqlValue>, limits: Limits): Promise<QueryResult> {
    return this.#with(limits, 'reset', (session) => session.procedure(name, params, new RowCollector(limits.rowsMax)));
  }

  async probe(limits: Limits): Promise<string> {
    const bound = this.#bind(this.#engine.versionSql, new Map());
    const { rows } = await this.#with(limits, 'keep', (session) =>
      session.query(bound, new RowCollector(limits.rowsMax), true),
    );
    const [version] = Object.values(rows[0] ?? {});
    return typeof version === 'string' ? version : 'the server answered';
  }

  figures(): PoolFigures {
    return this.#pool.figures;
  }

  async close(): Promise<void> {
    this.#pool.close();
    await Promise.all(this.#ending);
  }

  #bind(sql: string, params: ReadonlyMap<string, SqlValue>): BoundSql {
    const bound = bindSql(sql, params, this.#engine.dialect);
    refuseOutright(bound.keyword, this.#engine.dialect);
    return bound;
  }

  async #with<T>(
    limits: Limits,
    afterwards: Afterwards,
    work: (session: Session, deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const deadline = startDeadline(limits);
    try {
      const session = await this.#acquire(deadline);
      return await this.#use(session, deadline, afterwards, work);
    } finally {
      deadline.clear();
    }
  }

  async #acquire(deadline: Deadline): Promise<Session> {
    const acquiring = this.#pool.acquire();
    try {
      return await Promise.race([acquiring, deadline.over]);
    } catch (error) {
      // A late result is discarded.
      if (deadline.passed)
        acquiring.then(
          (session) => this.#pool.release(session, true),
          () => undefined,
        );
      throw error;
    }
  }

  async #use<T>(
    session: Session,
    deadline: Deadline,
    afterwards: Afterwards,
    work: (session: Session, deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const working = work(session, deadline);
    try {
      const value = await Promise.race([working, deadline.over]);
      this.#giveBack(session, afterwards);
      return value;
    } catch (error) {
      working.catch(() => undefined);
      if (deadline.passed) this.#end(session, working);
      else this.#giveBack(session, afterwards);
      throw error;
    }
  }

  #giveBack(session: Session, afterwards: Afterwards): void {
    if (afterwards !== 'reset' || !session.usable) this.#pool.release(session, afterwards === 'keep');
    else this.#later(settled(session.reset()).then((clean) => this.#pool.release(session, clean)));
  }

  /**
   * Its place in the pool stays occupied until the server has stopped, so that the server never runs more statements
   * than allowed.
   */
  #end(session: Session, working: Promise<unknown>): void {
    const stopping = Promise.all([session.cancel(), working.catch(() => undefined)]);
    this.#later(settled(stopping).then(() => this.#pool.release(session, false)));
  }

  #later(work: Promise<void>): void {
    const tracked = work.finally(() => this.#ending.delete(tracked));
    this.#ending.add(tracked);
  }
}

/**
 * A failed statement rolls back the ones before it; a session that cannot roll back is closed, which has the same
 * effect.
 */
async function allOrNone(
  session: Session,
  deadline: Deadline,
  bounds: readonly BoundSql[],
  rowsMax: number,
): Promise<QueryResult[]> {
  await session.begin();
  try {
    const results: QueryResult[] = [];
    for (const bound of bounds) {
      results.push(await session.query(bound, new RowCollector(rowsMax), false));
      if (deadline.passed) throw new NodeError('db_timeout', 'the transaction ran out of time');
      if (!session.inTransaction)
        throw new NodeError('db_error', 'a statement ended the transaction; expected statements that do not');
    }
    await session.commit();
    return results;
  } catch (error) {
    if (!deadline.passed && session.usable && !(await settled(session.rollback()))) session.close();
    throw error;
  }
}

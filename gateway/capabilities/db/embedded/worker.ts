/**
 * The process with the embedded database of a project. It receives one job at a time from the gateway and responds.
 *
 * Security: the authorizer, the limits and the defensive flag are set before the first statement of an author. The
 * process has neither the environment nor the secrets of the gateway.
 */
import { once } from 'node:events';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { NodeCode } from '#common/errors/node-codes.ts';
import { isDiskFull } from '#common/node/needs-room.ts';
import type { SqlValue } from '../contract.ts';
import { cleanMessage, fieldOf, messageOf } from '../errors.ts';
import { integerValue, RowCollector, sizeOf } from '../rows.ts';
import type { BoundSql } from '../sql/rewrite.ts';
import { scanSql } from '../sql/scan.ts';
import { authorize } from './authorizer.ts';
import { CACHE_KIB, PAGE_BYTES, PAGES_MAX, SQL_BYTES_MAX, VALUE_BYTES_MAX, WAL_BYTES_KEPT } from './limits.ts';
import { LogWatch } from './log-watch.ts';
import type { Answer, Job } from './messages.ts';
import { lacksSpace, type LogLimits, logBytesOf, overruns } from './overrun.ts';

const CONSTRAINT = 19;
const NO_ROOM = 'the database may not grow further: the disk has too little free above its reserve';
const NO_ROOM_FOR_LOG =
  'the statement changes more than the disk has room for above its reserve; nothing was changed; change it in smaller parts';
const NOT_A_STATEMENT = 'ERR_INVALID_ARG_VALUE';
const COLUMNS_MAX = 2_000;
/** After statements that change no rows, SQLite's count is still that of the previous statement. */
const SCHEMA = new Set(['create', 'alter', 'drop', 'analyze', 'reindex', 'pragma']);

process.title = 'sluice-database';
// The gateway passes its own process ID: the parent ID may change later.
const [, , file = '', gateway = ''] = process.argv;
const logWatch = new LogWatch();
const watch = new Worker(new URL('./thread.ts', import.meta.url), {
  workerData: { parent: Number(gateway), file, memory: logWatch.memory },
  execArgv: [],
});
watch.unref();
const watched = once(watch, 'online');
let limitedTo = PAGES_MAX;
const database = openDatabase(file);
// A statement may never end, so no job begins before the watchdog runs.
process.on('message', (job) => void watched.then(() => answer(job as Job)));
// Ctrl-C and a supervisor signal a whole group. The gateway ends this process when it has finished its own work.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => {
  database.close();
  process.exit(0);
});

function openDatabase(path: string): DatabaseSync {
  const opened = new DatabaseSync(path, {
    limits: { length: VALUE_BYTES_MAX, sqlLength: SQL_BYTES_MAX, attach: 0, column: COLUMNS_MAX },
  });
  opened.exec('PRAGMA auto_vacuum = FULL');
  opened.exec('PRAGMA journal_mode = WAL');
  opened.exec('PRAGMA synchronous = NORMAL');
  // Sorts, temporary tables and rollback data are never written to disk.
  opened.exec('PRAGMA temp_store = MEMORY');
  opened.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  // emptyLog() does it instead: SQLite would do it inside the statement and leave the file as large as before.
  opened.exec('PRAGMA wal_autocheckpoint = 0');
  // A killed process leaves its WAL.
  opened.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  opened.exec('PRAGMA trusted_schema = OFF');
  opened.exec(`PRAGMA max_page_count = ${PAGES_MAX}`);
  opened.setAuthorizer(authorize);
  return opened;
}

function answer(job: Job): void {
  process.send?.(perform(job));
}

/** SQLite keeps the current value if a smaller one is requested. */
function limitGrowth(pagesMax: number): void {
  const limit = Math.min(PAGES_MAX, Math.max(1, pagesMax));
  if (limit === limitedTo) return;
  control(`PRAGMA max_page_count = ${limit}`);
  limitedTo = limit;
}

function pageCount(): number {
  return Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
}

function perform(job: Job): Answer {
  try {
    const results = job.readOnly ? withoutChanges(() => change(job)) : change(job);
    emptyLog();
    return { id: job.id, results, pages: pageCount() };
  } catch (error) {
    emptyLog();
    return { id: job.id, ...failureOf(error, job) };
  }
}

/**
 * A transaction writes each page into the WAL once, so a WAL of `logBytesMax` is enough for a file of that size. A
 * larger file is changed in a transaction of this process, whose WAL is measured before the commit.
 */
function change({ statements, transaction, rowsMax, growPagesMax, logBytesMax, keepFreeBytes }: Job) {
  const pages = pageCount();
  const logPages = Math.floor(logBytesMax / PAGE_BYTES);
  const measured = transaction || 2 * pages > logPages;
  limitGrowth(measured ? pages + growPagesMax : Math.min(logPages, pages + growPagesMax));
  const limits = { logBytesMax: measured ? logBytesMax : Infinity, keepFreeBytes };
  const runAll = () => statements.map((statement) => run(statement, new RowCollector(rowsMax)));
  logWatch.begin(limits);
  try {
    return measured ? commit(transaction ? 'BEGIN IMMEDIATE' : 'BEGIN', limits, runAll) : runAll();
  } finally {
    logWatch.end();
  }
}

function commit<T>(begin: string, limits: LogLimits, work: () => T): T {
  control(begin);
  try {
    const value = work();
    // From here on, the response must match the result of the statement.
    logWatch.end();
    if (overruns(file, limits)) throw new LogFull(NO_ROOM_FOR_LOG);
    control('COMMIT');
    return value;
  } catch (error) {
    // Some errors have already ended the transaction.
    if (database.isTransaction) control('ROLLBACK');
    throw error;
  }
}

/** Writes a large WAL into the file. If that fails, for example on a full disk, the next job tries it again. */
function emptyLog(): void {
  try {
    if (logBytesOf(file) > WAL_BYTES_KEPT) control('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The job has succeeded nevertheless.
  }
}

/** SQLite refuses changes while `work` runs. The authorizer prevents authors from changing this pragma. */
function withoutChanges<T>(work: () => T): T {
  control('PRAGMA query_only = ON');
  try {
    return work();
  } finally {
    control('PRAGMA query_only = OFF');
  }
}

/** A statement of this process, which authors cannot execute. */
function control(sql: string): void {
  database.setAuthorizer(null);
  try {
    database.exec(sql);
  } finally {
    database.setAuthorizer(authorize);
  }
}

class ManyStatements extends Error {}
class LogFull extends Error {}

function run({ sql, values, keyword }: BoundSql, rows: RowCollector) {
  const statement = database.prepare(sql);
  // SQLite would silently ignore the following statements.
  const rest = scanSql(sql.slice(statement.sourceSQL.length), 'sqlite');
  if (rest.keyword !== '' || rest.pieces.some((piece) => 'param' in piece) || rest.goesOnAfterSemicolon)
    throw new ManyStatements('expected one statement; another one follows the ";"');
  const bound: Record<string, SQLInputValue> = {};
  for (const [index, value] of values.entries()) bound[`:p${index + 1}`] = inputValue(value);
  const columns = statement.columns();
  if (columns.length === 0) {
    const { changes } = statement.run(bound);
    return rows.result(SCHEMA.has(keyword) ? 0 : Number(changes));
  }
  rows.columns(columns.map(({ name }) => name));
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  for (const row of statement.iterate(bound) as Iterable<unknown>) {
    const read = (row as unknown[]).map(outputValue);
    rows.add(
      read,
      read.reduce((sum: number, value) => sum + sizeOf(value), 0),
    );
    // SQLite makes all changes before it returns the first row, so no change is lost.
    if (rows.full) break;
  }
  return rows.result(0);
}

/** A JavaScript number is bound as a floating-point value, whose text in a TEXT column is `1.0`. */
function inputValue(value: SqlValue): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return value instanceof Date ? value.toISOString() : value;
}

function outputValue(value: unknown): unknown {
  if (typeof value === 'bigint') return integerValue(value);
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}

function failureOf(error: unknown, { keepFreeBytes }: Job): { code: NodeCode; message: string } {
  const message = cleanMessage(messageOf(error));
  if (error instanceof LogFull) return { code: 'disk_reserve', message };
  if (error instanceof ManyStatements) return { code: 'sql_invalid', message };
  if (fieldOf(error, 'code') === NOT_A_STATEMENT) return { code: 'sql_invalid', message: 'expected a statement' };
  const number = fieldOf(error, 'errcode');
  if (isDiskFull(error) && (limitedTo < PAGES_MAX || lacksSpace(file, keepFreeBytes)))
    return { code: 'disk_reserve', message: NO_ROOM };
  const constraint = typeof number === 'number' && (number & 0xff) === CONSTRAINT;
  return { code: constraint ? 'db_constraint' : 'db_error', message };
}

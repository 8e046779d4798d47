/**
 * The embedded database of each project: SQLite in a separate file, opened by a separate process.
 *
 * Why a process and not a thread: a running statement cannot be ended in a thread. SQLite offers no way to interrupt it
 * from JavaScript, and terminating a thread waits until its statement is done; a process is killed. States: none →
 * starting → ready ⇄ working → ended (killed at a time limit, idle for long, or crashed) → none. Limits: one job at a
 * time, JOBS_MAX waiting (`db_pool_exhausted`); the time of a job includes its wait; file, value, statement and memory
 * sizes in limits.ts. Security: 0600 in a 0700 folder; embedded/authorizer.ts keeps SQL inside the file.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChildRequests } from '#common/node/child-requests.ts';
import type { QueryResult } from '#common/model/named-query.ts';
import { helperProgram } from '#common/node/helper-program.ts';
import type { Logger } from '#common/node/log.ts';
import { isDiskFull } from '#common/node/needs-room.ts';
import { takeFork } from '#common/node/own-rights.ts';
import { readOnlyPermissions } from '#common/node/permissions.ts';
import { makePrivateFolder, touchPrivateFile } from '#common/node/private-files.ts';
import { NodeError } from '#sdk';
import type { Database, Limits, Statement } from '../contract.ts';
import { type Deadline, settled, startDeadline } from '../deadline.ts';
import { bindSql } from '../sql/rewrite.ts';
import { refuseOutright } from '../sql/statements.ts';
import { Semaphore } from '../turns.ts';
import { END_MS_MAX, HEAP_MB_MAX, IDLE_MS_MAX, JOBS_MAX, PAGE_BYTES, PAGES_MAX, WAL_BYTES_KEPT } from './limits.ts';
import type { Answer, Job } from './messages.ts';
import { lacksSpace, logBytesOf, overruns } from './overrun.ts';

const fork = takeFork();
const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

const DISK_FULL = () => new NodeError('disk_reserve', 'the disk is full; the embedded database cannot be opened');
const CANNOT_OPEN = () => new NodeError('db_unreachable', 'the embedded database cannot be opened');
const OUTGROWN = () => new NodeError('db_error', 'the statement needed more memory than it may have');

const NO_ROOM_FOR_LOG = () =>
  new NodeError(
    'disk_reserve',
    'the statement was stopped: it changes more than the disk has room for above its reserve; change it in smaller parts',
  );

const SCHEMA_SQL = `
  SELECT NULL AS schema_name, t.name AS table_name, c.name AS column_name, lower(c.type) AS type_name
  FROM sqlite_schema t JOIN pragma_table_info(t.name) c
  WHERE t.type IN ('table', 'view') AND substr(t.name, 1, 7) <> 'sqlite_'
  ORDER BY t.name, c.cid`;

type DiskLimits = Pick<Job, 'growPagesMax' | 'logBytesMax' | 'keepFreeBytes'>;
type Unnumbered = Omit<Job, 'id'>;
type Unsent = Omit<Unnumbered, keyof DiskLimits>;

/** Disk space that is available to the project. */
export interface DatabaseDisk {
  /** Bytes by which the project may grow. */
  room(): number;
  /** Bytes that the disk must keep free. */
  reserve(): number;
  grew(bytes: number, pipeline?: string): void;
}

export class EmbeddedDatabase implements Database {
  readonly schemaSql = SCHEMA_SQL;
  readonly #folder: string;
  readonly #file: string;
  readonly #log: Logger;
  #process: ChildRequests<Job, Answer> | null = null;
  /** A job whose time is over leaves the queue immediately with its values: the job before it may run for long. */
  readonly #turns = new Semaphore(1);
  #idle: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #disk: DatabaseDisk;
  /** As last reported by the process; null before. */
  #pages: number | null = null;

  constructor(dataDir: string, project: string, { log, disk }: { log: Logger; disk: DatabaseDisk }) {
    this.#disk = disk;
    this.#folder = join(dataDir, 'projects', project);
    this.#file = join(this.#folder, 'data.sqlite');
    this.#log = log;
  }

  async run(statement: Statement, limits: Limits): Promise<QueryResult> {
    return this.#single(statement, false, limits);
  }

  read(statement: Statement, limits: Limits): Promise<QueryResult> {
    return this.#single(statement, true, limits);
  }

  transaction(statements: readonly Statement[], limits: Limits): Promise<QueryResult[]> {
    return this.#enqueue(statements, { transaction: true, readOnly: false }, limits);
  }

  procedure(): Promise<QueryResult> {
    return Promise.reject(new NodeError('procedure_unknown', 'the embedded database has no stored procedures'));
  }

  async probe(limits: Limits): Promise<string> {
    const { rows } = await this.run({ sql: 'SELECT sqlite_version() AS version', params: new Map() }, limits);
    return `SQLite ${String(rows[0]?.['version'])}`;
  }

  figures(): null {
    return null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#end('gently');
  }

  async #single(statement: Statement, readOnly: boolean, limits: Limits): Promise<QueryResult> {
    const results = await this.#enqueue([statement], { transaction: false, readOnly }, limits);
    return results[0] ?? { rows: [], rowCount: 0, truncated: false };
  }

  async #enqueue(
    statements: readonly Statement[],
    how: Pick<Job, 'transaction' | 'readOnly'>,
    limits: Limits,
  ): Promise<QueryResult[]> {
    const bound = statements.map(({ sql, params }) => bindSql(sql, params, 'sqlite'));
    for (const { keyword } of bound) refuseOutright(keyword, 'sqlite');
    // After the waiting jobs, one job is running.
    if (this.#turns.waiting + 1 >= JOBS_MAX)
      throw new NodeError('db_pool_exhausted', `${JOBS_MAX} calls wait for the embedded database already`);
    const unsent = { statements: bound, ...how, rowsMax: limits.rowsMax };
    const deadline = startDeadline(limits);
    const leave = new AbortController();
    deadline.over.catch(() => leave.abort());
    const turn = this.#turns.run(
      async () => (deadline.passed ? [] : this.#work(unsent, deadline, limits.pipeline)),
      leave.signal,
    );
    turn.catch(() => undefined);
    try {
      return await Promise.race([turn, deadline.over]);
    } finally {
      deadline.clear();
    }
  }

  async #work(unsent: Unsent, deadline: Deadline, pipeline: string | undefined): Promise<QueryResult[]> {
    if (this.#closed) throw new NodeError('db_unreachable', 'the embedded database is closed');
    clearTimeout(this.#idle);
    try {
      return await Promise.race([this.#ask({ ...this.#diskLimits(), ...unsent }, pipeline), deadline.over]);
    } catch (error) {
      // The running statement cannot be stopped in any other way; uncommitted changes are rolled back when the file is
      // next opened.
      if (deadline.passed) await this.#end('now');
      this.#emptyLog();
      throw error;
    } finally {
      this.#idle = setTimeout(() => void this.#end('gently'), IDLE_MS_MAX);
      this.#idle.unref();
    }
  }

  /** Each page is written twice: into the WAL that holds the change, then from there into the file. */
  #diskLimits(): DiskLimits {
    const half = this.#disk.room() / 2;
    return {
      growPagesMax: Math.min(PAGES_MAX, Math.floor(half / PAGE_BYTES)),
      logBytesMax: Math.max(WAL_BYTES_KEPT, half),
      keepFreeBytes: this.#disk.reserve(),
    };
  }

  /** The WAL does not count: after each job it has at most WAL_BYTES_KEPT. */
  #counted(pages: number, pipeline: string | undefined): void {
    if (this.#pages !== null) this.#disk.grew((pages - this.#pages) * PAGE_BYTES, pipeline);
    this.#pages = pages;
  }

  /** A killed process leaves its WAL, which occupies space until the file is next opened. */
  #emptyLog(): void {
    if (this.#process === null && !this.#closed && logBytesOf(this.#file) > WAL_BYTES_KEPT)
      this.#process = this.#start();
  }

  async #ask(job: Unnumbered, pipeline: string | undefined): Promise<QueryResult[]> {
    const answer = await this.#opened().ask(job);
    if (!('results' in answer)) throw new NodeError(answer.code, answer.message);
    this.#counted(answer.pages, pipeline);
    return answer.results;
  }

  /** Without room for the WAL and its index, not even a read is possible. */
  #unopened({ keepFreeBytes }: Unnumbered): NodeError {
    return lacksSpace(this.#file, Math.min(keepFreeBytes, WAL_BYTES_KEPT)) ? DISK_FULL() : CANNOT_OPEN();
  }

  /** If a signal ended it, the cause was its own watchdog (thread.ts) or the heap limit. */
  #stopped(job: Unnumbered): NodeError {
    return overruns(this.#file, job) ? NO_ROOM_FOR_LOG() : OUTGROWN();
  }

  #opened(): ChildRequests<Job, Answer> {
    try {
      return (this.#process ??= this.#start());
    } catch (error) {
      throw isDiskFull(error) ? DISK_FULL() : error;
    }
  }

  #start(): ChildRequests<Job, Answer> {
    makePrivateFolder(this.#folder);
    const file = this.#file;
    touchPrivateFile(file);
    const { file: worker, ...program } = helperProgram(WORKER);
    const child = fork(worker, [file, String(process.pid)], {
      ...program,
      execArgv: [
        `--max-old-space-size=${HEAP_MB_MAX}`,
        '--disallow-code-generation-from-strings',
        ...readOnlyPermissions(),
      ],
      // No variables of the gateway's environment; this one makes Electron's program behave like Node in a checkout.
      env: { ELECTRON_RUN_AS_NODE: '1' },
      serialization: 'advanced',
      // Standard error is the gateway's log, one JSON object per line.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      windowsHide: true,
    });
    child.on('error', (error) => this.#log.error('the process of an embedded database failed', { error }));
    const requests = new ChildRequests<Job, Answer>(child, ({ signal }, job) =>
      signal === null ? this.#unopened(job) : this.#stopped(job),
    );
    child.once('exit', (code, signal) => {
      if (this.#process !== requests) return;
      this.#process = null;
      this.#log.warn('the process of an embedded database ended unexpectedly', { file, code, signal });
    });
    return requests;
  }

  /** `gently`: it gets END_MS_MAX to close the file. */
  async #end(how: 'gently' | 'now'): Promise<void> {
    const child = this.#process?.child;
    this.#process = null;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    if (how === 'now') child.kill('SIGKILL');
    else {
      if (child.connected) child.disconnect();
      if (!(await settled(ended, END_MS_MAX))) child.kill('SIGKILL');
    }
    await ended;
  }
}

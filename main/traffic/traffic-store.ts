/**
 * Traffic statistics on disk: `traffic.sqlite` (node:sqlite, WAL, `synchronous=NORMAL`).
 *
 * Format: rows of five minutes, and of an hour once they are FIVES_KEPT_MS old; only those with calls. A row has
 * counts, the histogram of its durations (of a key: gaps), and a histogram of the p99 of its minutes, from which the
 * baseline is computed. In addition, every measured minute of the total, the last call of each route and key, and which
 * routes each key has called. Limits: KEPT_DAYS days and ROWS_MAX rows (routes of keys: KEY_ROUTES_KEPT_MS and
 * KEY_ROUTES_MAX); beyond, five minutes become hours early and then the oldest hours are removed. Crash: written once a
 * minute; later counts are lost, which is acceptable. Damage: never stops the host. A file that cannot be read or
 * written is set aside as `traffic.sqlite.damaged`, and started over; without any file the figures are in memory only.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { USUAL_DAYS_MIN } from '#common/model/traffic.ts';
import type { Logger } from '#common/node/log.ts';
import { inTransaction } from '#common/node/transaction.ts';
import { addCounts, type Counts, sumCounts } from '#common/traffic/counts.ts';
import { countsFromBlob, countsToBlob } from './counts-blob.ts';
import { addTally, emptyTally, keyOfSeries, keySeries, type Tally } from './tally.ts';
import { openTrafficFile, replaceTrafficFile } from './traffic-file.ts';
import type { Minute } from './baseline.ts';
import { KEY_ROUTES_KEPT_MS, KEY_ROUTES_MAX, type StoredKeyRoute } from './key-routes.ts';

export const KEPT_DAYS = 15;
export const FIVES_KEPT_MS = 12 * 60 * 60 * 1000;
export const ROWS_MAX = 2_000_000;
const FIVE = 300;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const LOAD_ROWS = 1_000;

/** A row as written: `samples` has the p99 of its minutes. */
export interface StoredTally extends Tally {
  samples: Counts;
}

/** For a route, `detail` is the ID of the key, null for a public one; for a key, the name of the route. */
export interface LastCall {
  at: number;
  ip: string;
  detail: string | null;
}

type Row = Record<string, SQLOutputValue>;

/** Samples of a series, and the times that they belong to. */
interface Found {
  samples: Counts[];
  times: Set<number>;
}

type Rows = ReadonlyMap<string, StoredTally>;

export interface TrafficStoreOptions {
  file: string;
  log: Logger;
  /** For tests. */
  rowsMax?: number;
}

export class TrafficStore {
  readonly #options: TrafficStoreOptions;
  #db: DatabaseSync;
  readonly #ids = new Map<string, number>();
  /** Logged once, until an operation succeeds again. */
  #failing = false;
  readonly #statements = new Map<string, StatementSync>();

  constructor(options: TrafficStoreOptions) {
    this.#options = options;
    this.#db = openTrafficFile(options.file, options.log);
  }

  /** A completed minute: the data for the rows of its five minutes, the last callers, and their routes. */
  write(
    minute: Minute | null,
    atMs: number,
    rows: Rows,
    last: ReadonlyMap<string, LastCall>,
    keyRoutes: readonly StoredKeyRoute[] = [],
  ): void {
    const at = floorTo(atMs / 1000, FIVE);
    this.#safely(undefined, () =>
      inTransaction(this.#db, () => {
        for (const [name, row] of rows) this.#merge(FIVE, at, this.#id(name), row);
        for (const [name, call] of last) this.#putLast(name, call);
        for (const one of keyRoutes) this.#putKeyRoute(one);
        if (minute !== null) this.#putMinute(minute);
      }),
    );
  }

  /** Combines old rows into hours, one hour at a time, at most `hours` of them. */
  rollUp(nowMs: number, hours = 2): void {
    const before = floorTo((nowMs - FIVES_KEPT_MS) / 1000, HOUR);
    for (let i = 0; i < hours; i++) {
      const oldest = this.#oldest(FIVE);
      if (oldest === null || oldest >= before) return;
      this.#safely(undefined, () => this.#rollHour(floorTo(oldest, HOUR)));
    }
  }

  prune(nowMs: number): void {
    const before = Math.floor(nowMs / 1000) - KEPT_DAYS * DAY;
    // From a clock that was set back: their time may be years ahead.
    const after = Math.floor(nowMs / 1000) + DAY;
    this.#safely(undefined, () => {
      inTransaction(this.#db, () => {
        this.#prepare('DELETE FROM rows WHERE span IN (?, ?) AND (at < ? OR at > ?)').run(FIVE, HOUR, before, after);
        this.#prepare('DELETE FROM minutes WHERE at < ? OR at > ?').run(before, after);
        this.#prepare('DELETE FROM last WHERE at < ? OR at > ?').run(before * 1000, after * 1000);
        this.#pruneKeyRoutes(nowMs);
        this.#db.exec(
          `DELETE FROM series WHERE id NOT IN (SELECT series FROM rows) AND id NOT IN (SELECT series FROM last)
            AND id NOT IN (SELECT series FROM key_routes)`,
        );
      });
      this.#ids.clear();
      this.#keepBelow(this.#options.rowsMax ?? ROWS_MAX);
    });
  }

  /** Removes the series with this name prefix. */
  forget(prefix: string): void {
    this.#safely(undefined, () =>
      inTransaction(this.#db, () => {
        const known = 'SELECT id FROM series WHERE substr(name, 1, length(?1)) = ?1';
        this.#prepare(`DELETE FROM rows WHERE series IN (${known})`).run(prefix);
        this.#prepare(`DELETE FROM last WHERE series IN (${known})`).run(prefix);
        this.#prepare('DELETE FROM series WHERE substr(name, 1, length(?1)) = ?1').run(prefix);
        this.#ids.clear();
      }),
    );
  }

  /** Rows from `sinceMs` on, a page at a time, oldest first; a page is read at each turn of the event loop. */
  async load(sinceMs: number, take: (name: string, atMs: number, tally: Tally) => void): Promise<void> {
    for (const span of [HOUR, FIVE]) {
      let [at, series] = [Math.floor(sinceMs / 1000), -1];
      for (;;) {
        const page = this.#page(span, at, series);
        for (const row of page) take(String(row['name']), Number(row['at']) * 1000, tallyOf(row));
        const end = page.at(-1);
        if (end === undefined || page.length < LOAD_ROWS) break;
        [at, series] = [Number(end['at']), Number(end['series'])];
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  minutes(): Minute[] {
    return this.#safely([], () =>
      this.#prepare('SELECT at, measured_ms, calls, refused, p99_ms FROM minutes ORDER BY at')
        .all()
        .map((row) => ({
          at: Number(row['at']) * 1000,
          measuredMs: Number(row['measured_ms']),
          calls: Number(row['calls']),
          refused: Number(row['refused']),
          p99Ms: row['p99_ms'] === null ? null : Number(row['p99_ms']),
        })),
    );
  }

  lastCalls(): Map<string, LastCall> {
    const rows = this.#safely([], () =>
      this.#prepare('SELECT s.name, l.at, l.ip, l.detail FROM last l JOIN series s ON s.id = l.series').all(),
    );
    return new Map(
      rows.map((row) => [
        String(row['name']),
        { at: Number(row['at']), ip: String(row['ip']), detail: row['detail'] === null ? null : String(row['detail']) },
      ]),
    );
  }

  /** The newest last. */
  keyRoutes(): StoredKeyRoute[] {
    const sql = `SELECT s.name, k.* FROM key_routes k JOIN series s ON s.id = k.series ORDER BY k.last_at`;
    const time = (value: SQLOutputValue | undefined): number | null => (value === null ? null : Number(value));
    return this.#safely([], () =>
      this.#prepare(sql)
        .all()
        .map((row) => ({
          key: keyOfSeries(String(row['name'])),
          route: String(row['route']),
          firstAt: Number(row['first_at']),
          lastAt: Number(row['last_at']),
          firstPassedAt: time(row['first_passed_at']),
          lastPassedAt: time(row['last_passed_at']),
        })),
    );
  }

  /** The p99 of minutes within the given times, by series; of series that have some in USUAL_DAYS_MIN of these times. */
  samples(within: readonly (readonly [number, number])[]): Map<string, Counts> {
    const sql = 'SELECT series, samples FROM rows WHERE span IN (?, ?) AND at >= ? AND at < ? AND length(samples) > 0';
    return this.#safely(new Map(), () => {
      const found = new Map<number, Found>();
      for (const [time, [from, to]] of within.entries()) {
        for (const row of this.#prepare(sql).all(FIVE, HOUR, Math.floor(from / 1000), Math.floor(to / 1000))) {
          const series = Number(row['series']);
          const known = found.get(series) ?? { samples: [], times: new Set() };
          found.set(series, known);
          known.samples.push(countsOf(row, 'samples'));
          known.times.add(time);
        }
      }
      const names = this.#prepare('SELECT id, name FROM series').all();
      return new Map(
        names.flatMap(({ id, name }) => {
          const known = found.get(Number(id));
          return known === undefined || known.times.size < USUAL_DAYS_MIN
            ? []
            : [[String(name), sumCounts(known.samples)]];
        }),
      );
    });
  }

  get rows(): number {
    return this.#safely(0, () => Number(this.#prepare('SELECT count(*) AS n FROM rows').get()?.['n']));
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #merge(span: number, at: number, series: number, row: StoredTally): void {
    const known = this.#prepare(
      'SELECT calls, refused, errors, times, samples FROM rows WHERE span = ? AND at = ? AND series = ?',
    ).get(span, at, series);
    const sum = { ...row };
    if (known !== undefined) {
      addTally(sum, tallyOf(known));
      sum.samples = addCounts(row.samples, countsOf(known, 'samples'));
    }
    this.#prepare(
      'INSERT OR REPLACE INTO rows (span, at, series, calls, refused, errors, times, samples) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(span, at, series, sum.calls, sum.refused, sum.errors, countsToBlob(sum.times), countsToBlob(sum.samples));
  }

  #rollHour(hour: number): void {
    inTransaction(this.#db, () => {
      const sums = new Map<number, StoredTally>();
      const fives = this.#prepare('SELECT * FROM rows WHERE span = ? AND at >= ? AND at < ?').all(
        FIVE,
        hour,
        hour + HOUR,
      );
      for (const row of fives) {
        const series = Number(row['series']);
        const sum = sums.get(series) ?? { ...emptyTally(), samples: [] };
        addTally(sum, tallyOf(row));
        sum.samples = addCounts(sum.samples, countsOf(row, 'samples'));
        sums.set(series, sum);
      }
      for (const [series, sum] of sums) this.#merge(HOUR, hour, series, sum);
      this.#prepare('DELETE FROM rows WHERE span = ? AND at >= ? AND at < ?').run(FIVE, hour, hour + HOUR);
    });
  }

  /** Each iteration combines five minutes into an hour or drops one, so the loop ends. */
  #keepBelow(rowsMax: number): void {
    while (this.rows > rowsMax) {
      const five = this.#oldest(FIVE);
      const newest = this.#prepare('SELECT max(at) AS at FROM rows WHERE span = ?').get(FIVE)?.['at'];
      if (five !== null && floorTo(five, HOUR) + HOUR <= Number(newest)) this.#rollHour(floorTo(five, HOUR));
      else this.#dropOldest();
    }
  }

  #dropOldest(): void {
    const span = this.#oldest(HOUR) === null ? FIVE : HOUR;
    const sql = 'DELETE FROM rows WHERE span = ?1 AND at = (SELECT min(at) FROM rows WHERE span = ?1)';
    if (this.#prepare(sql).run(span).changes === 0) throw new Error('the figures hold no rows to drop');
  }

  #oldest(span: number): number | null {
    const at = this.#safely(
      null,
      () => this.#prepare('SELECT min(at) AS at FROM rows WHERE span = ?').get(span)?.['at'] ?? null,
    );
    return at === null ? null : Number(at);
  }

  #page(span: number, at: number, series: number): Row[] {
    const sql = `SELECT r.*, s.name FROM rows r JOIN series s ON s.id = r.series
      WHERE r.span = ? AND (r.at, r.series) > (?, ?) ORDER BY r.at, r.series LIMIT ?`;
    return this.#safely([], () => this.#prepare(sql).all(span, at, series, LOAD_ROWS));
  }

  #putLast(name: string, { at, ip, detail }: LastCall): void {
    const sql = 'INSERT OR REPLACE INTO last (series, at, ip, detail) VALUES (?, ?, ?, ?)';
    this.#prepare(sql).run(this.#id(name), at, ip, detail);
  }

  #putKeyRoute({ key, route, firstAt, lastAt, firstPassedAt, lastPassedAt }: StoredKeyRoute): void {
    this.#prepare(
      'INSERT OR REPLACE INTO key_routes (series, route, first_at, last_at, first_passed_at, last_passed_at) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(this.#id(keySeries(key)), route, firstAt, lastAt, firstPassedAt, lastPassedAt);
  }

  #pruneKeyRoutes(nowMs: number): void {
    const remove = 'DELETE FROM key_routes WHERE last_at < ? OR last_at > ?';
    this.#prepare(remove).run(nowMs - KEY_ROUTES_KEPT_MS, nowMs + DAY * 1000);
    const oldest = 'SELECT series, route FROM key_routes ORDER BY last_at DESC LIMIT -1 OFFSET ?';
    this.#prepare(`DELETE FROM key_routes WHERE (series, route) IN (${oldest})`).run(KEY_ROUTES_MAX);
  }

  #putMinute({ at, measuredMs, calls, refused, p99Ms }: Minute): void {
    const sql = 'INSERT OR REPLACE INTO minutes (at, measured_ms, calls, refused, p99_ms) VALUES (?, ?, ?, ?, ?)';
    this.#prepare(sql).run(Math.floor(at / 1000), Math.round(measuredMs), calls, refused, p99Ms);
  }

  #id(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    this.#prepare('INSERT OR IGNORE INTO series (name) VALUES (?)').run(name);
    const id = Number(this.#prepare('SELECT id FROM series WHERE name = ?').get(name)?.['id']);
    this.#ids.set(name, id);
    return id;
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** An operation that fails on a damaged file is skipped; a temporarily full disk keeps its file. */
  #safely<T>(otherwise: T, work: () => T): T {
    try {
      const value = work();
      this.#failing = false;
      return value;
    } catch (error) {
      const { log, file } = this.#options;
      if (!this.#failing) log.warn('the traffic figures could not be read or written', { file, error });
      this.#failing = true;
      this.#ids.clear();
      if (isDamage(error)) {
        this.close();
        this.#statements.clear();
        this.#db = replaceTrafficFile(file, log);
      }
      return otherwise;
    }
  }
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

function tallyOf(row: Row): Tally {
  const [calls, refused, errors] = [Number(row['calls']), Number(row['refused']), Number(row['errors'])];
  return { calls, refused, errors, times: countsOf(row, 'times') };
}

function countsOf(row: Row, column: 'times' | 'samples'): Counts {
  const bytes = row[column];
  return bytes instanceof Uint8Array ? countsFromBlob(bytes) : [];
}

function floorTo(seconds: number, step: number): number {
  return Math.floor(seconds / step) * step;
}

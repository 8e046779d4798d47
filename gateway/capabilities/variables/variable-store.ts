/**
 * The variables of one project: `variables.sqlite`, one row per variable (name, JSON, bytes, time of the last change).
 *
 * Every change is a separate transaction in the gateway's main thread, so a change is atomic, and committed when its
 * call returns. Measured on a two-core machine (node:sqlite, WAL, synchronous NORMAL): 18 µs for a value of 10 bytes,
 * 24 µs for 1 KB, 0.5 ms for 100 KB, 1.8 ms for the largest; a message to a worker alone costs more than a typical
 * change. A checkpoint (every 4 MiB of changes) adds 5 to 14 ms. Durability: an acknowledged change survives the end of
 * the process by any signal. A power cut or a crash of the operating system may lose the changes since the last
 * checkpoint, the newest ones first and never a part of one. Limits: VARIABLES_MAX, TOTAL_BYTES_MAX (names and JSON),
 * VALUE_BYTES_MAX each, LISTED_BYTES_MAX in one list. Known weakness: a disk that hangs during a checkpoint blocks the
 * main thread for as long.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { NodeError } from '#sdk';
import { openVariablesFile } from './database.ts';
import { decodeValue, encodeValue, sameJson } from './json-value.ts';

export const VARIABLES_MAX = 10_000;
export const TOTAL_BYTES_MAX = 64 * 1024 * 1024;
/** A list is parsed in one go, in the gateway's thread. */
export const LISTED_BYTES_MAX = 4 * 1024 * 1024;

const NEVER_SET = 'null';

export interface VariableEntry {
  name: string;
  value: unknown;
  updatedAt: string;
}

export class VariableStore {
  readonly #database: DatabaseSync;
  readonly #read: StatementSync;
  readonly #measure: StatementSync;
  readonly #write: StatementSync;
  readonly #delete: StatementSync;
  readonly #sizeOf: StatementSync;
  readonly #range: StatementSync;
  readonly #onSize: (bytes: number) => void;
  /** As committed: each change is completed before the next one begins. */
  #count: number;
  #bytes: number;
  #rehearses = false;

  /** `onSize` is called with the change in bytes before it is made. It throws NodeError if the values may not grow. */
  constructor(file: string, onSize: (bytes: number) => void) {
    this.#onSize = onSize;
    const database = openVariablesFile(file);
    this.#database = database;
    this.#read = database.prepare('SELECT json FROM variables WHERE name = ?');
    this.#measure = database.prepare('SELECT bytes FROM variables WHERE name = ?');
    this.#write = database.prepare(
      `INSERT INTO variables (name, json, bytes, updated_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET json = excluded.json, bytes = excluded.bytes, updated_at = excluded.updated_at`,
    );
    this.#delete = database.prepare('DELETE FROM variables WHERE name = ?');
    const within = 'FROM variables WHERE name >= ? AND name < ?';
    this.#sizeOf = database.prepare(`SELECT count(*) AS n, coalesce(sum(bytes), 0) AS bytes ${within}`);
    this.#range = database.prepare(`SELECT name, json, updated_at ${within} ORDER BY name`);
    ({ count: this.#count, bytes: this.#bytes } = this.#size(''));
  }

  get(name: string): unknown {
    return decodeValue(this.#json(name));
  }

  set(name: string, value: unknown): void {
    this.#put(name, encodeValue(name, value));
  }

  /** Null counts as 0, like a variable that was never set. */
  increment(name: string, by: number): number {
    const before = this.get(name) ?? 0;
    if (typeof before !== 'number')
      throw new NodeError('variable_not_number', `${name}: expected a number to add to; it holds ${kindOf(before)}`);
    const sum = before + by;
    if (!Number.isFinite(sum) || Math.abs(sum) > Number.MAX_SAFE_INTEGER)
      throw new NodeError('variable_not_number', `${name}: the sum would be beyond what a number holds exactly`);
    this.#put(name, JSON.stringify(sum));
    return sum;
  }

  compareAndSet(name: string, expected: unknown, value: unknown): boolean {
    const [wanted, next] = [encodeValue(name, expected), encodeValue(name, value)];
    if (!this.#holds(name, wanted)) return false;
    this.#put(name, next);
    return true;
  }

  list(prefix: string): VariableEntry[] {
    const { bytes } = this.#size(prefix);
    if (bytes > LISTED_BYTES_MAX) {
      const limit = `${LISTED_BYTES_MAX / 1024 / 1024} MiB`;
      throw new NodeError(
        'variable_too_large',
        `the variables under "${prefix}" hold more than ${limit} together; expected a narrower prefix`,
      );
    }
    return this.#range.all(prefix, endOf(prefix)).map((row) => ({
      name: String(row['name']),
      value: decodeValue(String(row['json'])),
      updatedAt: new Date(Number(row['updated_at'])).toISOString(),
    }));
  }

  remove(name: string): boolean {
    const bytes = this.#bytesOf(name);
    if (bytes === null) return false;
    if (this.#rehearses) return true;
    this.#delete.run(name);
    this.#count -= 1;
    this.#bytes -= bytes;
    this.#onSize(-bytes);
    return true;
  }

  /** Calls of `work` have the same results and errors as otherwise, and change nothing. */
  rehearse<T>(work: (store: this) => T): T {
    this.#rehearses = true;
    try {
      return work(this);
    } finally {
      this.#rehearses = false;
    }
  }

  close(): void {
    this.#database.close();
  }

  #json(name: string): string {
    const json = this.#read.get(name)?.['json'];
    return typeof json === 'string' ? json : NEVER_SET;
  }

  #holds(name: string, wanted: string): boolean {
    try {
      return sameJson(this.#json(name), wanted);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new NodeError('variable_invalid', `${name}: the value nests too deeply to be compared`, { cause });
    }
  }

  #put(name: string, json: string): void {
    const before = this.#bytesOf(name);
    const bytes = Buffer.byteLength(json) + Buffer.byteLength(name);
    const grows = bytes - (before ?? 0);
    if (before === null && this.#count >= VARIABLES_MAX)
      throw new NodeError('variables_full', `the project has ${VARIABLES_MAX} variables already; remove some`);
    if (grows > 0 && this.#bytes + grows > TOTAL_BYTES_MAX)
      throw new NodeError('variables_full', `the variables of a project hold ${TOTAL_BYTES_MAX} bytes at most`);
    if (this.#rehearses) return;
    if (grows !== 0) this.#onSize(grows);
    this.#write.run(name, json, bytes, Date.now());
    if (before === null) this.#count += 1;
    this.#bytes += grows;
  }

  /** Null: never set. */
  #bytesOf(name: string): number | null {
    const bytes = this.#measure.get(name)?.['bytes'];
    return bytes === undefined ? null : Number(bytes);
  }

  #size(prefix: string): { count: number; bytes: number } {
    const row = this.#sizeOf.get(prefix, endOf(prefix));
    return { count: Number(row?.['n']), bytes: Number(row?.['bytes']) };
  }
}

/** An upper bound for all names with that prefix, in SQLite's order of UTF-8 bytes. */
function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

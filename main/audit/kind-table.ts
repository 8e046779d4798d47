import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RowKind } from './row-kind.ts';

/** IDs in memory; beyond that the database is queried. Callers with random addresses must not fill the memory. */
const CACHED_MAX = 10_000;

/** The kinds of rows in the index, without duplicates. */
export class KindTable {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #ids = new Map<string, number | bigint>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insert = database.prepare('INSERT INTO kinds VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#find = database.prepare('SELECT id FROM kinds WHERE identity = ?');
  }

  idOf(kind: RowKind): number | bigint {
    const identity = JSON.stringify(Object.values(kind));
    const known = this.#ids.get(identity);
    if (known !== undefined) return known;
    const id = this.#stored(identity) ?? this.#added(identity, kind);
    if (this.#ids.size >= CACHED_MAX) this.#ids.clear();
    this.#ids.set(identity, id);
    return id;
  }

  /** After rows were removed. */
  dropUnused(): void {
    this.forget();
    this.#database.exec('DELETE FROM kinds WHERE id NOT IN (SELECT kind FROM rows)');
  }

  /** After a rollback: kinds that were rolled back are stored again. */
  forget(): void {
    this.#ids.clear();
  }

  #stored(identity: string): number | null {
    const id = this.#find.get(identity)?.['id'];
    return id === undefined ? null : Number(id);
  }

  #added(identity: string, kind: RowKind): number | bigint {
    const { type, outcome, key, name, address, project, route, code, status, text } = kind;
    return this.#insert.run(identity, type, outcome, key, name, address, project, route, code, status, text)
      .lastInsertRowid;
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { inTransaction } from '#common/node/transaction.ts';
import type { PointBatch, SeriesName } from './messages.ts';

/** The project name of a series whose project was deleted and whose points are still to be removed. */
export const GONE = '';

interface KnownSeries {
  readonly id: number;
  readonly unit: string;
}

/** Writes points; the only owner of the writing connection. */
export class HistoryStore {
  readonly db: DatabaseSync;
  readonly #known = new Map<string, KnownSeries>();
  readonly #put: StatementSync;
  readonly #find: StatementSync;
  readonly #add: StatementSync;
  readonly #setUnit: StatementSync;

  constructor(db: DatabaseSync) {
    this.db = db;
    this.#put = db.prepare('INSERT OR REPLACE INTO points (series, time, form, value) VALUES (?, ?, ?, ?)');
    this.#find = db.prepare('SELECT id, unit FROM series WHERE project = ? AND path = ?');
    this.#add = db.prepare('INSERT INTO series (project, path, unit) VALUES (?, ?, ?)');
    this.#setUnit = db.prepare('UPDATE series SET unit = ? WHERE id = ?');
  }

  /** All points in one commit, or none. */
  append({ names, series, times, forms, values }: PointBatch): void {
    try {
      inTransaction(this.db, () => {
        const ids = names.map((name) => this.#idOf(name));
        for (const [at, place] of series.entries())
          this.#put.run(ids[place] ?? null, times[at] ?? null, forms[at] ?? null, values[at] ?? null);
      });
    } catch (error) {
      // IDs that were assigned in a rolled-back transaction do not exist.
      this.#known.clear();
      throw error;
    }
  }

  /** The project's points can no longer be read when this returns; retention removes them later. */
  forget(project: string): void {
    this.#known.clear();
    this.db.prepare('UPDATE series SET project = ?, path = id WHERE project = ?').run(GONE, project);
  }

  /** Removes a series without points. */
  removeSeries(id: number): void {
    this.#known.clear();
    this.db.prepare('DELETE FROM series WHERE id = ?').run(id);
  }

  close(): void {
    this.db.close();
  }

  #idOf(name: SeriesName): number {
    const key = `${name.project} ${name.path}`;
    const known = this.#known.get(key) ?? this.#read(name) ?? this.#create(name);
    if (known.unit !== name.unit) this.#setUnit.run(name.unit, known.id);
    this.#known.set(key, { id: known.id, unit: name.unit });
    return known.id;
  }

  #read({ project, path }: SeriesName): KnownSeries | undefined {
    const row = this.#find.get(project, path);
    return row && { id: Number(row['id']), unit: String(row['unit']) };
  }

  #create({ project, path, unit }: SeriesName): KnownSeries {
    return { id: Number(this.#add.run(project, path, unit).lastInsertRowid), unit };
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Stored } from '../form.ts';
import { CHUNK_ROWS } from '../limits.ts';

/** `[time, form, value]` */
export type PointRow = readonly [number, number, Stored];

/** Reads points by series, a limited number at a time. Rows are arrays: half the time of objects. */
export class PointSource {
  readonly #range: StatementSync;
  readonly #at: StatementSync;
  readonly #after: StatementSync;
  readonly #series: StatementSync;
  readonly #chunkRows: number;

  constructor(db: DatabaseSync, chunkRows = CHUNK_ROWS) {
    this.#chunkRows = chunkRows;
    const select = (rest: string) => {
      const statement = db.prepare(`SELECT time, form, value FROM points WHERE series = ? AND ${rest}`);
      statement.setReturnArrays(true);
      return statement;
    };
    this.#range = select('time >= ? AND time < ? ORDER BY time LIMIT ?');
    this.#at = select('time <= ? ORDER BY time DESC LIMIT 1');
    this.#after = select('time > ? ORDER BY time LIMIT 1');
    this.#series = db.prepare('SELECT id, unit FROM series WHERE project = ? AND path = ?');
  }

  find(project: string, path: string): { id: number; unit: string } | null {
    const row = this.#series.get(project, path);
    return row === undefined ? null : { id: Number(row['id']), unit: String(row['unit']) };
  }

  /** The points in `[from, to)`, oldest first, in chunks; at most `limit` points. */
  *chunks(series: number, from: number, to: number, limit = Infinity): Generator<readonly PointRow[]> {
    let next = from;
    let left = limit;
    while (left > 0) {
      const wanted = Math.min(this.#chunkRows, left);
      const rows = this.#range.all(series, next, to, wanted) as unknown as PointRow[];
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < wanted) return;
      next = last[0] + 1;
      left -= rows.length;
    }
  }

  /** The last point at or before `time`. */
  at(series: number, time: number): PointRow | null {
    return (this.#at.get(series, time) as unknown as PointRow | undefined) ?? null;
  }

  /** The first point after `time`. */
  after(series: number, time: number): PointRow | null {
    return (this.#after.get(series, time) as unknown as PointRow | undefined) ?? null;
  }
}

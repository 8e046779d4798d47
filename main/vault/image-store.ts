import initSqlJs, { type Database } from 'sql.js';

/** SQLite images in memory (sql.js). One WebAssembly instance serves the process; it takes about 40 ms to create. */
export interface Images {
  /** A database with these bytes, or an empty one; foreign keys are enforced. */
  load(bytes?: Uint8Array): Database;
}

let engine: ReturnType<typeof initSqlJs> | null = null;

export async function loadImages(): Promise<Images> {
  const sql = await (engine ??= initSqlJs());
  return {
    load(bytes) {
      const db = new sql.Database(bytes);
      // Small pages keep a small vault small; an existing image keeps its page size.
      db.exec('PRAGMA page_size = 1024; PRAGMA foreign_keys = ON');
      return db;
    },
  };
}

/** From here on the database is read-only. */
export function freeze(db: Database): Database {
  // Exporting closes and reopens the connection, which resets its pragmas.
  db.exec('PRAGMA foreign_keys = ON; PRAGMA query_only = ON');
  return db;
}

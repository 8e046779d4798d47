import { setFlagsFromString } from 'node:v8';
import initSqlJs, { type Database } from 'sql.js';

/** SQLite images in memory (sql.js). One WebAssembly instance serves the process; it takes about 40 ms to create. */
export interface Images {
  /** A database with these bytes, or an empty one; foreign keys are enforced. */
  load(bytes?: Uint8Array): Database;
}

let engine: ReturnType<typeof initSqlJs> | null = null;

export async function loadImages(): Promise<Images> {
  const sql = await (engine ??= compiledOnce());
  return {
    load(bytes) {
      const db = new sql.Database(bytes);
      // Small pages keep a small vault small; an existing image keeps its page size.
      db.exec('PRAGMA page_size = 1024; PRAGMA foreign_keys = ON');
      return db;
    },
  };
}

/**
 * V8 optimises functions of WebAssembly that have run this many bytes of code. With its default, a start optimises
 * parts of SQLite that hardly run again: 0.15 s of CPU time, a tenth of what starts Sluice. With a hundred times as
 * much, only a vault with much work is optimised. The default is set again for code that is compiled later, and because
 * V8's compile cache is valid for the same flags only.
 */
const TIERING_BUDGET = 1_300_000_000;
const TIERING_BUDGET_OF_V8 = 13_000_000;

async function compiledOnce(): Promise<Awaited<ReturnType<typeof initSqlJs>>> {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  try {
    return await initSqlJs();
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET_OF_V8}`);
  }
}

/** From here on the database is read-only. */
export function freeze(db: Database): Database {
  // Exporting closes and reopens the connection, which resets its pragmas.
  db.exec('PRAGMA foreign_keys = ON; PRAGMA query_only = ON');
  return db;
}

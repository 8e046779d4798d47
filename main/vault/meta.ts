import type { Database } from 'sql.js';
import { one, text } from './rows.ts';

/** Facts about the vault itself, inside its image. */
export type MetaName =
  /** When an older generation was opened; removed once an Administrator has confirmed it. */
  | 'rolled_back_at'
  /** When every key was refused because an older generation could not be updated from the journal; removed likewise. */
  | 'keys_refused_at'
  /**
   * When later removals of rights were replayed into an older generation; removed likewise, and when one is opened
   * again.
   */
  | 'acts_replayed_at'
  /** Stamps of the other stores, as JSON (main/host/stores.ts). */
  | 'stores'
  /** Stores that do not match and that nobody has accepted yet, as JSON. */
  | 'stores_lost'
  /** Restores that are not in the journal yet, as JSON (restore-notes.ts). */
  | 'restores'
  /** Set by a restore, removed when a start or a command opens the folder. */
  | 'never_opened'
  /** The journal with the actions of this vault: the ID of the vault that started it; absent = the ID of this vault. */
  | 'journal_line'
  /** Set by a restore into a folder whose journal is not that of the backed-up PC. */
  | 'journal_incomplete'
  /** Set by a restore to the time of the backup, which contains all actions that were completed before. */
  | 'acts_since'
  /** When the anchors log of the journal was created. If the log is missing, somebody removed it. */
  | 'anchors_log_since'
  /** The file outside the data folder that keeps the journal's heads, once it was written. */
  | 'head_file'
  /** The line of the proof of the last verification (main/audit/proof.ts). */
  | 'journal_proof'
  /** Base64url. The root of derived keys if it is not the DB secret: set by a restore, so that keys remain valid. */
  | 'derivation_root';

export function readMeta(db: Database, name: MetaName): string | null {
  const row = one(db, 'SELECT value FROM meta WHERE name = ?', [name]);
  return row && text(row, 'value');
}

export function putMeta(db: Database, name: MetaName, value: string): void {
  db.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', [name, value]);
}

export function dropMeta(db: Database, name: MetaName): void {
  db.run('DELETE FROM meta WHERE name = ?', [name]);
}

import type { Database } from 'sql.js';
import { type KeyLimits, NOTHING_ALLOWED, readLimits } from '#common/model/key-limits.ts';
import { one, text, type Row } from './rows.ts';

/** The limits of a key in its row. Unreadable limits allow nothing. */
export function limitsIn(row: Row): KeyLimits {
  try {
    return readLimits(JSON.parse(text(row, 'limits')));
  } catch {
    return NOTHING_ALLOWED;
  }
}

/** Does nothing without such a key. */
export function setLimits(db: Database, keyId: string, limitsAfter: (before: KeyLimits) => KeyLimits): void {
  const row = one(db, 'SELECT limits FROM keys WHERE id = ?', [keyId]);
  if (row !== null)
    db.run('UPDATE keys SET limits = ? WHERE id = ?', [JSON.stringify(limitsAfter(limitsIn(row))), keyId]);
}

import type { Database } from 'sql.js';
import type { KeyPause } from '#common/model/records.ts';
import { textOrNull, type Row } from './rows.ts';

/** The pause of a key in its row, as JSON; null: not paused. An unreadable one is a pause without a reason. */
export function pauseIn(row: Row): KeyPause | null {
  const stored = textOrNull(row, 'paused');
  if (stored === null) return null;
  try {
    const { at, by, reason, second } = JSON.parse(stored) as Partial<Record<keyof KeyPause, unknown>>;
    if (typeof at === 'string' && typeof by === 'string' && typeof reason === 'string')
      return { at, by, reason, ...(second === true && { second }) };
  } catch {
    // As below.
  }
  return { at: new Date(0).toISOString(), by: '', reason: '' };
}

/** Does nothing without such a key. The first pause is kept. */
export function setPaused(db: Database, keyId: string, pause: KeyPause): void {
  db.run('UPDATE keys SET paused = ? WHERE id = ? AND paused IS NULL', [JSON.stringify(pause), keyId]);
}

export function clearPaused(db: Database, keyId: string): void {
  db.run('UPDATE keys SET paused = NULL WHERE id = ?', [keyId]);
}

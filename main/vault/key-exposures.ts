import { z } from 'zod';
import { type KeyExposure, SIGHTING_KINDS } from '#common/model/records.ts';
import type { Vault } from '../contracts.ts';
import type { KeyStore } from '../key-contracts.ts';
import { one, textOrNull, type Row } from './rows.ts';

const stored = z.strictObject({
  at: z.iso.datetime(),
  how: z.enum(SIGHTING_KINDS),
  ip: z.string(),
  method: z.string(),
  path: z.string(),
});

interface KeyExposures {
  /** The mark of a key, also one that could not be saved. An unreadable one does not count. */
  of(row: Row, keyId: string): KeyExposure | null;
  readonly calls: Pick<KeyStore, 'expose'>;
}

/** Marks of exposed keys. Limit: one for each key. */
export function createKeyExposures(vault: Vault): KeyExposures {
  const held = new Map<string, KeyExposure>();
  return {
    of: (row, keyId) => held.get(keyId) ?? exposureIn(row),
    calls: {
      async expose(keyId, exposure) {
        const row = vault.read((db) => one(db, 'SELECT * FROM keys WHERE id = ? AND revoked_at IS NULL', [keyId]));
        const known = row && (held.get(keyId) ?? exposureIn(row));
        if (row === null || (known !== null && exposure.how !== 'honey')) return false;
        held.set(keyId, exposure);
        const text = JSON.stringify(exposure);
        await vault.mutate((db) => db.run('UPDATE keys SET exposed = ? WHERE id = ?', [text, keyId]));
        if (held.get(keyId) === exposure) held.delete(keyId);
        return true;
      },
    },
  };
}

function exposureIn(row: Row): KeyExposure | null {
  const text = textOrNull(row, 'exposed');
  if (text === null) return null;
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

import { randomBytes } from 'node:crypto';
import type { SecretOwner, SecretVault, Vault } from '../contracts.ts';
import { one, text } from './rows.ts';

/**
 * Secrets of connections and of egress nodes in the vault's table `secrets` (docs/spec/egress.md#secrets), by opaque
 * references. A value is never changed in place: a new one gets a new reference, so that store and vault are consistent
 * at every moment of a change.
 *
 * A secret is written before anything refers to it and removed when nothing refers to it any more. After a crash in
 * between, the next start removes those that the project store lists as dropped, and no others: a lost store lists
 * nothing. Known weakness: a secret that was written but never referenced, because of a crash in between, remains.
 */
const PREFIXES: Readonly<Record<SecretOwner, string>> = { connection: 'connection:', egress: 'egress:' };
const REF_BYTES = 18;

export function createResourceSecrets(vault: Pick<Vault, 'read' | 'mutate'>, now: () => number): SecretVault {
  const read = (ref: string): string | null => {
    const row = vault.read((db) => one(db, 'SELECT value FROM secrets WHERE ref = ?', [ref]));
    return row && text(row, 'value');
  };

  async function remove(refs: readonly string[]): Promise<void> {
    if (refs.length === 0) return;
    await vault.mutate((db) => {
      for (const ref of refs) db.run('DELETE FROM secrets WHERE ref = ?', [ref]);
    });
  }

  return {
    async put(values, by, owner = 'connection') {
      if (values.length === 0) return [];
      const newRef = (): string => PREFIXES[owner] + randomBytes(REF_BYTES).toString('base64url');
      const entries = values.map((value) => ({ value, ref: newRef() }));
      const time = new Date(now()).toISOString();
      await vault.mutate((db) => {
        const sql = 'INSERT INTO secrets (ref, value, changed_at, changed_by) VALUES (?, ?, ?, ?)';
        for (const { ref, value } of entries) db.run(sql, [ref, value, time, by]);
      });
      return entries.map(({ ref }) => ref);
    },
    has: (ref) => read(ref) !== null,
    read,
    remove,
  };
}

import type { Database } from 'sql.js';
import type { KeyPause, KeyRecord } from '#common/model/records.ts';
import type { Vault } from '../contracts.ts';
import type { KeyStore } from '../key-contracts.ts';
import { clearPaused, setPaused } from './key-pause-column.ts';

interface KeyPauses {
  /** The pause that is in effect and not in the vault yet. */
  held(keyId: string): KeyPause | null;
  readonly calls: Pick<KeyStore, 'checkPausable' | 'holdPaused' | 'isPauseHeld' | 'releasePaused' | 'pause' | 'resume'>;
}

/** `valid` returns the key, or throws SluiceError `unknown`, or `conflict` if it is revoked; `to` is the act. */
export function createKeyPauses(
  vault: Vault,
  valid: (db: Database, keyId: string, to: 'pause' | 'resume') => KeyRecord,
): KeyPauses {
  const held = new Map<string, KeyPause>();
  // Another pause of the same key is kept.
  const release = (keyId: string, pause: KeyPause): void => {
    if (held.get(keyId) === pause) held.delete(keyId);
  };
  return {
    held: (keyId) => held.get(keyId) ?? null,
    calls: {
      checkPausable: (keyId) => void vault.read((db) => valid(db, keyId, 'pause')),
      holdPaused: (keyId, pause) => void held.set(keyId, pause),
      isPauseHeld: (keyId, pause) => held.get(keyId) === pause,
      releasePaused: release,
      async pause(keyId, pause) {
        await vault.mutate((db) => setPaused(db, keyId, pause));
        release(keyId, pause);
      },
      async resume(keyId) {
        // A held pause remains: the caller drops an unsaved one, and one that is being saved overtakes this.
        const key = await vault.mutate((db) => {
          const found = valid(db, keyId, 'resume');
          clearPaused(db, keyId);
          return found;
        });
        return { ...key, paused: held.get(keyId) ?? null };
      },
    },
  };
}

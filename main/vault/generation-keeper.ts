import type { Logger } from '#common/node/log.ts';
import type { SecretStore } from '../keychain/secret-store.ts';

/**
 * Writes the vault's generation to the secret store after each write. An unavailable store must not undo data that is
 * already on disk, nor slow down every later change: the failure is shown as a notice, and retried with the next write
 * after `RETRY_MS`. Until it succeeds, a rollback by as many generations would not be detected.
 */
export interface GenerationKeeper {
  /** True while the store does not have the newest generation. */
  readonly behind: boolean;
  /** Never throws. `now`: skip the pause after a failure. */
  save(generation: number, now?: 'now'): Promise<void>;
}

const RETRY_MS = 30_000;

export interface KeeperOptions {
  store: SecretStore;
  vaultId: string;
  secret: Buffer;
  now: () => number;
  log: Logger;
}

export function createGenerationKeeper({ store, vaultId, secret, now, log }: KeeperOptions): GenerationKeeper {
  let failedAt: number | null = null;
  return {
    get behind() {
      return failedAt !== null;
    },
    async save(generation, urgency) {
      if (failedAt !== null && urgency === undefined && now() - failedAt < RETRY_MS) return;
      try {
        await store.save(vaultId, secret, generation);
        failedAt = null;
      } catch (error) {
        failedAt = now();
        log.warn('the vault is written, but its generation could not be stored with the secret', { error });
      }
    },
  };
}

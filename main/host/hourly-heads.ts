import type { Logger } from '#common/node/log.ts';
import type { OpenedVault } from '../vault/live-vault.ts';

/** Behaviour 7: the journal's heads go into the vault hourly, besides with each of its writes and at the stop. */
const HEADS_MS = 60 * 60 * 1000;

/** Returns the end of it. */
export function recordHeadsHourly(vault: Pick<OpenedVault, 'recordHeads'>, log: Logger): () => void {
  const record = () =>
    vault.recordHeads().catch((error: unknown) => log.warn('the journal heads could not be recorded', { error }));
  const timer = setInterval(() => void record(), HEADS_MS);
  return () => clearInterval(timer);
}

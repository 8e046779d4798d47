import type { Logger } from '#common/node/log.ts';
import type { Audit } from '../contracts.ts';
import type { OpenedVault } from '../vault/live-vault.ts';

/**
 * The journal's heads are saved in the vault hourly, in addition to each of its writes and the stop
 * (docs/spec/journal.md#tampering).
 */
const HEADS_MS = 60 * 60 * 1000;

/** Also written to the system's log, which is outside the data folder. Returns a function that stops it. */
export function recordHeadsHourly(
  vault: Pick<OpenedVault, 'recordHeads' | 'generation'>,
  audit: Pick<Audit, 'heads'>,
  log: Logger,
): () => void {
  const record = async (): Promise<void> => {
    await vault.recordHeads().catch((error: unknown) => log.warn('the journal heads could not be recorded', { error }));
    logHeads(vault, audit, log);
  };
  const timer = setInterval(() => void record(), HEADS_MS);
  return () => clearInterval(timer);
}

/** Log lines with which a restored older data folder can be compared. They contain no secrets. */
export function logHeads(
  { generation }: Pick<OpenedVault, 'generation'>,
  audit: Pick<Audit, 'heads'>,
  log: Logger,
): void {
  const heads = audit.heads().map(({ chain, seq, hash }) => [chain, { batch: seq, hash }] as const);
  log.info('state of the data folder', { generation, ...Object.fromEntries(heads) });
}

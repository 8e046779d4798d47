import type { Logger } from '#common/node/log.ts';
import type { Audit } from '../contracts.ts';
import type { AnchorKeeper } from './anchor-keeper.ts';

/** Rows of the host's chain for findings at this start: they outlive the log and the alarms. */
export async function recordTroubles(
  keeper: Pick<AnchorKeeper, 'tookOver' | 'foundNow' | 'unproven' | 'heads'>,
  record: Audit['record'],
  log: Logger,
): Promise<void> {
  const rows = [
    ...(keeper.tookOver ? [{ act: 'journal.takeover', detail: headsText(keeper.heads()) }] : []),
    ...keeper.foundNow.map((detail) => ({ act: 'journal.tampered', detail })),
    ...keeper.unproven().map(({ chain, from, to, rows: count }) => ({
      act: 'journal.unproven',
      detail: `${chain} batches ${from} to ${to}`,
      count,
    })),
  ];
  for (const row of rows) {
    // A full disk must not prevent the start; the anchors have the finding.
    await record({ ...row, target: 'journal' }).catch((error: unknown) =>
      log.warn('a finding about the audit journal could not be recorded in it', { error }),
    );
  }
}

function headsText(heads: readonly { chain: string; seq: number }[]): string {
  return heads.map(({ chain, seq }) => `${chain} up to batch ${seq}`).join(', ');
}

import type { ChainHead, ChainName } from '#common/model/audit.ts';
import type { RingState } from '#common/node/journal/messages.ts';
import type { WriterOptions } from '#common/node/journal/writer.ts';
import { openWriter } from '#common/node/journal/writer.ts';
import type { Journal, JournalOptions } from './contract.ts';
import { lateRow } from './late-row.ts';
import { RefusalFolding } from './refusal-folding.ts';
import { SettledRows } from './settled-rows.ts';
import { unfinishedWrites } from './unfinished-writes.ts';

export type GatewayJournalOptions = JournalOptions & { chain: ChainName; foldPeriodMs?: number } & Pick<
    WriterOptions,
    'startThread' | 'durableEveryMs' | 'segmentBytesMax' | 'ackMsMax' | 'faults'
  >;

/**
 * Opens the gateway's audit journal (docs/spec/journal.md#durability). Resolves when it can be written, or after 5 s in
 * the state `unavailable`: it then opens automatically as soon as the disk allows, and every commit fails until then.
 */
export async function openJournal(options: GatewayJournalOptions): Promise<Journal> {
  const { foldPeriodMs, onFound, ...rest } = options;
  const unfinished = writesWithoutResult(options);
  let folding: RefusalFolding | null = null;
  const onOpened = (ring: RingState | null, found: ChainHead): void => {
    onFound?.(found);
    if (ring) folding?.opened(ring);
  };
  const writer = await openWriter({ ...rest, ring: true, lateRow, onOpened });
  const refusals = new RefusalFolding(writer, foldPeriodMs);
  folding = refusals;
  const settled = new SettledRows(writer);
  for (const line of unfinished) settled.record(line);
  return {
    commit: (line, done) => writer.append(line, done),
    refuse: (row, foldKey, done) => refusals.refuse(row, foldKey, done),
    record: (line) => settled.record(line),
    configure: (settings) => writer.configure(settings),
    get state() {
      return writer.state;
    },
    get head() {
      return writer.head;
    },
    async close() {
      await refusals.close();
      settled.close();
      await writer.close();
    },
  };
}

/** A damaged file is reported when the chain is opened, and does not prevent that. */
function writesWithoutResult({ folder, chain, onWarning }: GatewayJournalOptions): string[] {
  try {
    return unfinishedWrites(folder, chain);
  } catch (error) {
    onWarning?.(`writes without a result were not searched: ${error instanceof Error ? error.message : 'unknown'}`);
    return [];
  }
}

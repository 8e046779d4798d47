import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { maskKeys } from '#common/api-key.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { AuditRow, ChainHead, ChainName, Refusal } from '#common/model/audit.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import { segmentNumbers } from '#common/node/journal/recover.ts';
import { findInRing, RING_FILE } from '#common/node/journal/ring.ts';
import type { ChainWriter, WriterOptions } from '#common/node/journal/writer.ts';
import { openWriter } from '#common/node/journal/writer.ts';
import type { Logger } from '#common/node/log.ts';
import type { Audit, AuditFilter, KeptEvidence, VerifyReport } from '../contracts.ts';
import { type HeldFile, NO_HELD_FILE } from '../host/held-file.ts';
import { AnchorKeeper } from './anchor-keeper.ts';
import { CHAINS } from './anchors.ts';
import { explain } from './explain.ts';
import { headKey } from './head-record.ts';
import { OutsideHeads, type HeadFileChoice } from './outside-heads.ts';
import { CSV_HEADER, csvLine, jsonLine } from './export.ts';
import { openIndex } from './index-client.ts';
import type { AuditIndex, IndexTiming } from './index-client.ts';
import { proofKey } from './proof.ts';
import { Pruner } from './pruner.ts';
import { SpareRows } from './spare-rows.ts';
import { recordTroubles } from './troubles.ts';
import { usageOf } from './usage.ts';
import { type KeptProof, Verifications } from './verifications.ts';
import { verifyJournal } from './verify-journal.ts';

export interface AuditOptions {
  /** `<data>/journal` */
  folder: string;
  /** `<data>/anchors` */
  anchorsFile: string;
  /** 32 bytes: `vault.derive('anchors')`. */
  anchorKey: Buffer;
  /** Heads in the vault, compared when the journal is opened and by `verify`. */
  heads?: readonly ChainHead[];
  /** The vault knows that this journal has an anchors log. */
  logExpected?: boolean;
  days: number;
  maxBytes: number;
  /** Stores rows of users while the disk is full (spare-rows.ts); absent: does not. */
  spare?: HeldFile;
  /** The file outside the data folder that keeps heads; absent: not supported. */
  headFile?: HeadFileChoice;
  /** Keeps the proof of the last verification in the vault; absent: only the file has it. */
  keptProof?: KeptProof;
  log: Logger;
  /** For tests. */
  anchorEveryMs?: number;
  index?: Partial<IndexTiming>;
  writer?: Pick<WriterOptions, 'faults' | 'durableEveryMs' | 'segmentBytesMax' | 'ackMsMax'>;
  keptBytesMax?: number;
}

export interface AuditStore extends Audit {
  /** Changed settings. */
  configure(settings: { days: number; maxBytes: number }): void;
}

const NO_HEAD_FILE: HeadFileChoice = {
  path: () => null,
  known: () => null,
  remember: async () => {},
  generation: () => 0,
};
const NOT_KEPT: KeptProof = { known: () => null, remember: async () => {} };
const NO_ROOM = /^(ENOSPC|EDQUOT)\b/;
export const ANCHOR_EVERY_MS = 10_000;
const EXPORT_PAGE_ROWS = 1_000;

/**
 * The host's half of the audit journal (docs/spec/journal.md#durability): writes the `host` chain (each audited action
 * synced before it is acknowledged), reads both chains, maintains the anchors. Rejects if the folder cannot be used at
 * all; while a disk is full or hangs, `record` rejects with `audit_unavailable`.
 */
export async function openAudit(options: AuditOptions): Promise<AuditStore> {
  const { folder, anchorsFile, anchorKey, heads: vaultHeads = [], logExpected = false, days, maxBytes, log } = options;
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const everyMs = options.anchorEveryMs ?? ANCHOR_EVERY_MS;
  const anchors = new AnchorKeeper({ folder, anchorsFile, anchorKey, vaultHeads, logExpected, log, everyMs });
  await anchors.open(CHAINS.some((chain) => hasSegments(folder, chain)));
  const index = openIndex(folder, options.index);
  const onHead = (head: ChainHead): void => {
    void anchors.head(head).then(() => pruner?.grown(head.chain));
    index.grown(head);
  };
  let pruner: Pruner | null = null;
  const spare = new SpareRows(options.spare ?? NO_HELD_FILE);
  let flushSpare = (): void => {};
  const writer = await openWriter({
    ...options.writer,
    folder,
    chain: 'host',
    durability: 'power',
    onHead,
    onState(state, reason) {
      if (state === 'unavailable') return log.error('host journal', { state, reason });
      log.info('host journal', { state });
      flushSpare();
    },
    onWarning: (reason) => log.warn('host journal', { reason }),
  });
  // Before any other row.
  flushSpare = () => void spare.flush((line) => finallyAppended(writer, line));
  if (writer.state === 'ok') flushSpare();
  const append: AuditStore['record'] = (row, { mayUseSpare = false } = {}) =>
    record(writer, row, mayUseSpare ? spare : null);
  const { keptBytesMax } = options;
  const pruned = { folder, days, maxBytes, keeper: anchors, record: append, log };
  pruner = new Pruner({ ...pruned, ...(keptBytesMax !== undefined && { keptBytesMax }) });
  const held = pruner;
  pruner.prune();
  await recordTroubles(anchors, append, log);
  const outside = new OutsideHeads({
    folder,
    dataDir: dirname(folder),
    key: headKey(anchorKey),
    file: options.headFile ?? NO_HEAD_FILE,
    heads: () => anchors.heads(),
    record: (detail) => append({ act: 'journal.rolled_back', target: 'journal', detail }),
    log,
  });
  void outside.look();
  const verify = async ({ heads, proof }: KeptEvidence = {}): Promise<VerifyReport> => {
    await anchors.write();
    const kept = { keptHeads: heads, keptProof: proof, outside: outside.findings() };
    const paths = { folder, anchorsFile, anchorKey, vaultHeads };
    return held.hold(() => verifyJournal({ ...paths, ...kept, logExpected: true, live: CHAINS }));
  };
  const verifications = new Verifications({
    folder,
    key: proofKey(anchorKey),
    kept: options.keptProof ?? NOT_KEPT,
    verify,
    record: append,
    heads: () => anchors.heads(),
    oldest: async () => (await usageOf(folder)).oldest,
    log,
  });
  await verifications.restoreFile();
  return {
    record: append,
    query: (filter) => index.search(filter),
    summary: (filter) => index.summary(filter),
    export: (filter, format) => exportRows(index, filter, format),
    refusal: (requestId) => refusal(folder, index, requestId),
    lastUsed: () => index.lastUsed(),
    verify,
    ...recorded(verifications),
    head: onHead,
    opened: (found) => anchors.opened(found),
    ended: () => anchors.ended('gateway'),
    troubles: () => ({
      tampered: [...new Set([...anchors.tampered(), ...verifications.findings()])],
      unproven: anchors.unproven(),
      outside: outside.troubles(),
      spareRows: spare.count,
    }),
    lookOutside: () => outside.look(),
    heads: () => anchors.heads(),
    configure: (settings) => pruner.configure(settings),
    usage: () => usageOf(folder),
    async close() {
      await pruner.close();
      await writer.close();
      await anchors.close();
      await outside.close();
      await index.close();
    },
  };
}

function recorded(
  verifications: Verifications,
): Pick<Audit, 'verifyAndRecord' | 'verifying' | 'lastVerification' | 'proof'> {
  return {
    verifyAndRecord: (who) => verifications.run(who),
    verifying: () => verifications.running,
    lastVerification: () => verifications.last(),
    proof: () => verifications.proof(),
  };
}

function hasSegments(folder: string, chain: ChainName): boolean {
  const { whole, pruned } = segmentNumbers(chainFolder(folder, chain));
  return whole.length + pruned.length > 0;
}

async function record(
  writer: ChainWriter,
  row: Omit<AuditRow, 'time' | 'type'> & { type?: AuditRow['type'] },
  spare: SpareRows | null,
): Promise<void> {
  const { type = 'admin', ...fields } = row;
  const line = maskKeys(JSON.stringify({ time: new Date().toISOString(), type, ...fields }));
  if (await appended(writer, line)) return;
  if (spare !== null && isFull(writer) && spare.add(line)) return;
  throw new SluiceError('audit_unavailable', 'The audit journal cannot be written.');
}

function appended(writer: ChainWriter, line: string): Promise<boolean> {
  return new Promise((resolve) => writer.append(line, resolve));
}

/** Also for a hanging disk: resolves when it is known whether the row was written. */
function finallyAppended(writer: ChainWriter, line: string): Promise<boolean> {
  return new Promise((resolve) => writer.appendWith(line, { settled: resolve }, () => {}));
}

/** Not for a hanging disk: the spare file is written on this thread. */
function isFull({ state, reason }: ChainWriter): boolean {
  return state === 'unavailable' && reason !== null && NO_ROOM.test(reason);
}

async function* exportRows(index: AuditIndex, filter: AuditFilter, format: 'csv' | 'jsonl'): AsyncGenerator<string> {
  if (format === 'csv') yield CSV_HEADER;
  const lineOf = format === 'csv' ? csvLine : jsonLine;
  let cursor = filter.cursor ?? null;
  do {
    const page = await index.search({ ...filter, limit: EXPORT_PAGE_ROWS, ...(cursor !== null && { cursor }) });
    yield page.items.map(lineOf).join('');
    cursor = page.next;
  } while (cursor !== null);
}

/** From the ring, which also contains folded refusals, otherwise from the rows. */
async function refusal(folder: string, index: AuditIndex, requestId: string): Promise<Refusal | null> {
  const slot = await findInRing(join(chainFolder(folder, 'gateway'), RING_FILE), requestId);
  const inRing = slot && explain(slot.row);
  if (inRing) return inRing;
  const { items } = await index.search({ requestId, limit: 10 });
  return items.map(explain).find((found) => found !== null) ?? null;
}

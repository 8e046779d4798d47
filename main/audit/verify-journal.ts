import { join } from 'node:path';
import type { ChainHead, ChainName } from '#common/model/audit.ts';
import type { ChainAnchors } from '#common/node/journal/chain-anchors.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import type { ChainReport } from '#common/node/journal/verify.ts';
import { verifyChain } from '#common/node/journal/verify.ts';
import type { VerifyReport } from '../contracts.ts';
import { anchorFaults } from './anchor-faults.ts';
import { chainAnchors } from './anchor-records.ts';
import { ANCHORS_LOG, logKey, readLog } from './anchors-log.ts';
import { CHAINS, readAnchors } from './anchors.ts';
import { outsideFindings } from './compare-heads.ts';
import { headKey } from './head-record.ts';
import { checkProof, type Proof, proofKey } from './proof.ts';
import type { BrokenAnchor } from './anchors.ts';

export interface VerifyJournalOptions {
  /** `<data>/journal` */
  folder: string;
  anchorsFile: string;
  anchorKey: Buffer;
  vaultHeads?: readonly ChainHead[];
  /** The vault knows that this journal has an anchors log. */
  logExpected?: boolean;
  /** Chains that a writer has open; none from the command line without a running host. */
  live?: readonly ChainName[];
  /** Lines with heads that were kept outside the data folder (head-record.ts). */
  keptHeads?: string | undefined;
  /** The text of a proof of an earlier verification (proof.ts). */
  keptProof?: string | undefined;
  /** Findings of heads outside so far. */
  outside?: readonly string[];
}

/** Recomputes both chains and compares them with everything that is anchored or in the vault. Writes nothing. */
export async function verifyJournal(options: VerifyJournalOptions): Promise<VerifyReport> {
  const { folder, anchorsFile, anchorKey, vaultHeads = [], logExpected = false, live = [] } = options;
  // First the file that counts the records of the other: a record that is added meanwhile causes no error.
  const read = readAnchors(anchorsFile, anchorKey);
  const content = readLog(join(folder, ANCHORS_LOG), logKey(anchorKey));
  const file = read.kind === 'read' ? read.anchors : { heads: [], broken: [] };
  const isNew = content === null && file.log === undefined && !logExpected;
  const reports: ChainReport[] = [];
  const older: string[] = [];
  for (const chain of CHAINS) {
    const anchors = isNew ? null : raised(chainAnchors(content?.records ?? [], chain), file.heads, chain);
    const inVault = vaultHeads.filter((head) => head.chain === chain);
    const anchored = [
      ...file.heads.filter((head) => head.chain === chain),
      ...inVault,
      ...(anchors?.head ? [anchors.head] : []),
    ];
    if (anchors) older.push(...olderThanVault(anchors, inVault));
    const isLive = live.includes(chain);
    reports.push(await verifyChain({ folder: chainFolder(folder, chain), chain, anchored, anchors, live: isLive }));
  }
  const { keptHeads } = options;
  const kept = keptHeads === undefined ? [] : await outsideFindings(folder, headKey(anchorKey), keptHeads);
  const { keptProof } = options;
  const proven = keptProof === undefined ? null : await checkProof(folder, proofKey(anchorKey), keptProof);
  const hasJournal = reports.some(({ batches }) => batches > 0);
  const findings = [
    ...anchorFaults({ read, content, hasJournal, isNew }),
    ...file.broken.map(brokenFinding),
    ...older,
    ...reports.flatMap((report) => report.findings),
    ...new Set([...(options.outside ?? []), ...kept]),
    ...(proven?.findings ?? []),
  ];
  return {
    ok: findings.length === 0,
    chains: reports.map(({ chain, segments, batches, rows, head }) => ({ chain, segments, batches, rows, head })),
    findings,
    unproven: reports.flatMap(({ chain, unproven }) => unproven.map((found) => ({ chain, ...found }))),
    uncleanStops: reports.flatMap(({ chain, uncleanStops }) => uncleanStops.map((stop) => ({ chain, ...stop }))),
    ...(proven?.proof && { proof: shownProof(proven.proof) }),
  };
}

function shownProof({ at, by, rows }: Proof): NonNullable<VerifyReport['proof']> {
  return { at, by, rows };
}

function raised(anchors: ChainAnchors, heads: readonly ChainHead[], chain: ChainName): ChainAnchors {
  for (const head of heads) {
    if (head.chain === chain && head.seq > (anchors.head?.seq ?? 0)) anchors.head = head;
  }
  return anchors;
}

/** The vault receives only anchored heads, so the anchors are older ones. */
export function olderThanVault({ head }: Pick<ChainAnchors, 'head'>, vaultHeads: readonly ChainHead[]): string[] {
  const newest = head?.seq ?? 0;
  return vaultHeads
    .filter(({ seq }) => seq > newest)
    .map(
      ({ chain, seq }) =>
        `The anchors are older than the vault: it knows ${chain} batch ${seq}, and they end with ${newest}.`,
    );
}

function brokenFinding({ what, noticedAt }: BrokenAnchor): string {
  return `${what.replace(/\.$/, '')} (noticed ${noticedAt}).`;
}

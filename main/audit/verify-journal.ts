import type { ChainHead, ChainName } from '#common/model/audit.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import type { ChainReport } from '#common/node/journal/verify.ts';
import { verifyChain } from '#common/node/journal/verify.ts';
import type { VerifyReport } from '../contracts.ts';
import { readAnchors } from './anchors.ts';
import type { BrokenAnchor } from './anchors.ts';

export interface VerifyJournalOptions {
  /** `<data>/journal` */
  folder: string;
  anchorsFile: string;
  anchorKey: Buffer;
  vaultHeads?: readonly ChainHead[];
  /** Chains that a writer has open; none from the command line without a running host. */
  live?: readonly ChainName[];
}

const CHAINS: readonly ChainName[] = ['gateway', 'host'];

/** Recomputes both chains and compares them with every head that is anchored or in the vault. */
export async function verifyJournal(options: VerifyJournalOptions): Promise<VerifyReport> {
  const { folder, anchorsFile, anchorKey, vaultHeads = [], live = [] } = options;
  const read = readAnchors(anchorsFile, anchorKey);
  const anchors = read.kind === 'read' ? read.anchors : { heads: [], broken: [] };
  const reports: ChainReport[] = [];
  for (const chain of CHAINS) {
    const anchored = [...anchors.heads, ...vaultHeads].filter((head) => head.chain === chain);
    reports.push(
      await verifyChain({ folder: chainFolder(folder, chain), chain, anchored, live: live.includes(chain) }),
    );
  }
  const findings = [
    ...anchorFindings(read.kind, reports),
    ...anchors.broken.map(brokenFinding),
    ...reports.flatMap((report) => report.findings),
  ];
  return {
    ok: findings.length === 0,
    chains: reports.map(({ chain, segments, batches, rows, head }) => ({ chain, segments, batches, rows, head })),
    findings,
    uncleanStops: reports.flatMap(({ chain, uncleanStops }) => uncleanStops.map((stop) => ({ chain, ...stop }))),
  };
}

function anchorFindings(kind: 'read' | 'missing' | 'unreadable', reports: readonly ChainReport[]): string[] {
  if (kind === 'unreadable') return ['The anchors file cannot be opened: it was changed or belongs to another vault.'];
  if (kind === 'missing' && reports.some(({ batches }) => batches > 0)) return ['The anchors file is missing.'];
  return [];
}

function brokenFinding({ what, noticedAt }: BrokenAnchor): string {
  return `${what.replace(/\.$/, '')} (noticed ${noticedAt}).`;
}

import { hkdfSync } from 'node:crypto';
import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { VERSION } from '#common/version.ts';
import type { VerifyReport } from '../contracts.ts';
import { headFindings } from './compare-heads.ts';
import { headSchema } from './head-record.ts';
import { openLine, sealedLine } from './sealed-line.ts';

/**
 * The proof of a verification (docs/spec/journal.md#proof): one line of JSON with a MAC whose key only the host has and
 * `sluice audit key` prints. It states what was verified, when and for whom, and the heads of the chains; a journal
 * that was replaced or truncated since then does not contain these.
 */
const PROOF_BYTES_MAX = 64 * 1024;
const FINDINGS_MAX = 20;

const proofSchema = z.object({
  sluiceJournalProof: z.literal(1),
  version: z.string(),
  /** When the verification began, RFC 3339. */
  at: z.string(),
  by: z.string(),
  /** Time of the oldest rows; null: there were none. */
  from: z.string().nullable(),
  ok: z.boolean(),
  rows: z.number(),
  chains: z
    .array(
      z.object({
        chain: z.enum(['gateway', 'host']),
        segments: z.number(),
        batches: z.number(),
        rows: z.number(),
        head: headSchema.nullable(),
      }),
    )
    .max(2),
  /** The newest anchored heads. */
  anchors: z.array(headSchema).max(2),
  findingCount: z.number(),
  findings: z.array(z.string()).max(FINDINGS_MAX),
  unprovenRows: z.number(),
});
export type Proof = z.infer<typeof proofSchema>;

/** 32 bytes, from those that seal the anchors file. */
export function proofKey(anchorKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', anchorKey, Buffer.alloc(0), 'sluice journal proof', 32));
}

export function proofOf(
  { ok, chains, findings, unproven }: VerifyReport,
  more: Pick<Proof, 'at' | 'by' | 'from' | 'anchors'>,
): Proof {
  return {
    sluiceJournalProof: 1,
    version: VERSION,
    ...more,
    ok,
    rows: chains.reduce((sum, { rows }) => sum + rows, 0),
    chains,
    findingCount: findings.length,
    findings: findings.slice(0, FINDINGS_MAX),
    unprovenRows: unproven.reduce((sum, { rows }) => sum + rows, 0),
  };
}

export function proofLine(key: Buffer, proof: Proof): string {
  return sealedLine(key, proof);
}

/** Null: changed, or written with another key. Throws SluiceError `invalid` if the text is not a proof. */
export function readProof(key: Buffer, text: string): Proof | null {
  const opened = text.length <= PROOF_BYTES_MAX ? openLine(key, text) : null;
  if (opened === null) throw notAProof();
  if (!opened.genuine) return null;
  const { data } = proofSchema.safeParse(JSON.parse(opened.json));
  if (data === undefined) throw notAProof();
  return data;
}

/** Findings, each as a sentence; empty: the proof is genuine, and the journal contains the heads in it. */
export async function checkProof(
  folder: string,
  key: Buffer,
  text: string,
): Promise<{ proof: Proof | null; findings: string[] }> {
  const proof = readProof(key, text);
  if (proof === null)
    return { proof, findings: ['The proof was changed, or written with the secret of another vault.'] };
  const heads = proof.chains.flatMap(({ head }) => (head === null ? [] : [head]));
  const findings = await headFindings(folder, [...heads, ...proof.anchors]);
  if (!proof.ok) findings.push(`The verification of ${proof.at} had ${proof.findingCount} findings itself.`);
  return { proof, findings: [...new Set(findings)] };
}

function notAProof(): SluiceError {
  return new SluiceError(
    'invalid',
    'The file is no proof of a verification; expected one that Sluice saved, unchanged.',
  );
}

import { SluiceError } from '#common/errors/catalogue.ts';
import type { ChainHead } from '#common/model/audit.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import { chainTail, findHead } from '#common/node/journal/read.ts';
import { readHeads } from './head-record.ts';

/**
 * Compares heads that were kept outside the data folder with the journal in it. Returns findings, each as a sentence;
 * empty: the journal contains the heads. `text`: lines of head-record.ts. Throws SluiceError `invalid` if there is no
 * such line in it.
 */
export async function outsideFindings(folder: string, key: Buffer, text: string): Promise<string[]> {
  const { records, heads, foreign } = readHeads(key, text);
  if (records === 0 && foreign === 0)
    throw new SluiceError('invalid', 'The file of heads contains none; expected lines that Sluice wrote.');
  return [...(foreign > 0 ? [foreignFinding(foreign)] : []), ...(await headFindings(folder, heads))];
}

/** Heads that the journal does not contain, each as a sentence. */
export async function headFindings(folder: string, heads: readonly ChainHead[]): Promise<string[]> {
  const findings: string[] = [];
  for (const head of heads) {
    const finding = await findingOf(chainFolder(folder, head.chain), head);
    if (finding !== null) findings.push(finding);
  }
  return findings;
}

async function findingOf(folder: string, head: ChainHead): Promise<string | null> {
  const { chain, seq, time } = head;
  const found = await findHead(folder, head);
  if (found === 'there' || found === 'pruned') return null;
  if (found === 'different') return `${chain} batch ${seq} of ${time} differs from the head that was kept outside.`;
  const last = await chainTail(folder, Number.MAX_SAFE_INTEGER);
  if (last.seq >= seq) return `${chain} batch ${seq} of ${time}, whose head was kept outside, is missing.`;
  const from = last.seq + 1;
  const batches = from === seq ? `batch ${seq} is` : `batches ${from} to ${seq} are`;
  return `${chain} ${batches} missing: ${missingRows(last, time)}, of which a head was kept outside.`;
}

/** The clock may have been set back in between: a period must not end before it begins. */
function missingRows(last: { seq: number; time: string }, until: string): string {
  if (last.seq === 0) return `the rows between the beginning and ${until}`;
  if (Date.parse(last.time) <= Date.parse(until)) return `the rows between ${last.time} and ${until}`;
  return `the rows up to ${until} (the row before them is of ${last.time}: the clock was set back, or other rows were added)`;
}

function foreignFinding(lines: number): string {
  const what = lines === 1 ? '1 head that was kept outside was' : `${lines} heads that were kept outside were`;
  return `${what} changed, or written with the secret of another vault.`;
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { KeptEvidence, VerifyReport } from '../contracts.ts';
import { createLogger } from '#common/node/log.ts';
import { readHeadFile } from '../audit/head-file.ts';
import { fileTrouble } from './file-trouble.ts';
import { PlainError, UsageError } from './plain-error.ts';
import { readSecret } from './read-secret.ts';
import { expectData } from './ask-data.ts';
import type { Command } from './command.ts';
import { refuseForeignData } from './data-owner.ts';
import { askHost } from './host-call.ts';
import { DATA_FLAGS, dataOptions } from './options.ts';

export const auditVerify: Command = {
  name: 'audit verify',
  summary: 'checks both chains of the audit journal; exits 1 when anything was changed, 3 when rows are not proven',
  flags: {
    ...DATA_FLAGS,
    head: { value: 'FILE', help: 'heads that were kept outside the data folder; the journal must contain them' },
    proof: {
      value: 'FILE',
      help: 'a proof that was saved from the journal page; the journal must contain what it proves',
    },
    copy: { value: 'DIR', help: 'a copy of a data folder, without its vault; asks for the key of "sluice audit key"' },
    json: { help: 'prints the report as one JSON line' },
  },
  positionals: [],
  run: async (args, { environment, print }) => {
    const copy = args.flags.get('copy');
    if (copy !== undefined && args.flags.has('data'))
      throw new UsageError('--copy names the folder to verify; expected no --data with it');
    const kept = await readKept(args.flags.get('head'), args.flags.get('proof'));
    const report = await (copy === undefined
      ? reportOn(dataOptions(args, environment).dataDir, kept)
      : reportOnCopy(resolve(copy), kept));
    if (args.flags.has('json')) print(JSON.stringify(report));
    else for (const line of inWords(report)) print(line);
    if (!report.ok) return 1;
    return report.unproven.length === 0 ? 0 : UNPROVEN;
  },
};

/** From the running host, or from the files: nothing is written to the folder of a stopped host. */
async function reportOn(dataDir: string, kept: KeptEvidence): Promise<VerifyReport> {
  const text = kept.proof ?? kept.heads;
  const body = text === undefined ? {} : { body: Buffer.from(text) };
  const kind = kept.proof === undefined ? 'heads' : 'proof';
  const answer = await askHost(dataDir, { command: 'audit-verify', kept: kind }, body);
  if (answer) return answer.value as VerifyReport;
  expectData(dataDir);
  refuseForeignData(dataDir);
  const [{ verifyJournal }, { withVaultRead }, { ANCHORS_FILE, ANCHORS_PURPOSE }] = await Promise.all([
    import('../audit/verify-journal.ts'),
    import('../vault/read-only-vault.ts'),
    import('../audit/anchors.ts'),
  ]);
  return withVaultRead({ dataDir, log: createLogger('sluice') }, ({ heads, logExpected, derive }) =>
    verifyJournal({
      folder: join(dataDir, 'journal'),
      anchorsFile: join(dataDir, ANCHORS_FILE),
      anchorKey: derive(ANCHORS_PURPOSE),
      vaultHeads: heads,
      logExpected,
      keptHeads: kept.heads,
      keptProof: kept.proof,
    }),
  );
}

/** On any machine: of the data folder only `anchors` and `journal` are needed, and the key instead of the vault. */
async function reportOnCopy(folder: string, kept: KeptEvidence): Promise<VerifyReport> {
  if (!existsSync(join(folder, 'journal')))
    throw new PlainError(
      `there is no journal in ${folder}; expected a copy of a data folder with "journal" and "anchors"`,
    );
  const key = Buffer.from(await readSecret('Verification key'), 'base64url');
  if (key.length !== KEY_BYTES)
    throw new PlainError('the verification key is not complete; expected the line that "sluice audit key" prints');
  const [{ verifyJournal }, { ANCHORS_FILE }] = await Promise.all([
    import('../audit/verify-journal.ts'),
    import('../audit/anchors.ts'),
  ]);
  return verifyJournal({
    folder: join(folder, 'journal'),
    anchorsFile: join(folder, ANCHORS_FILE),
    anchorKey: key,
    logExpected: true,
    keptHeads: kept.heads,
    keptProof: kept.proof,
  });
}

async function readKept(head: string | undefined, proof: string | undefined): Promise<KeptEvidence> {
  if (head !== undefined && proof !== undefined)
    throw new UsageError('--head and --proof are verified one at a time; expected one of them');
  if (head !== undefined) return { heads: await readKeptHeads(resolve(head)) };
  return proof === undefined ? {} : { proof: await readKeptProof(resolve(proof)) };
}

async function readKeptProof(file: string): Promise<string> {
  const text = await readHeadFile(file).catch((cause: unknown) => {
    throw new PlainError(`the proof in ${file} cannot be read: ${fileTrouble(cause)}`, { cause });
  });
  if (text === null) throw new PlainError(`${file} is missing; expected a proof that Sluice saved`);
  return text;
}

async function readKeptHeads(file: string): Promise<string> {
  const text = await readHeadFile(file).catch((cause: unknown) => {
    throw new PlainError(`the heads in ${file} cannot be read: ${fileTrouble(cause)}`, { cause });
  });
  if (text === null || text.trim() === '')
    throw new PlainError(`${file} is missing or empty; expected a file with heads of the journal`);
  return text;
}

const KEY_BYTES = 32;

/** Rows without an anchor can be genuine or forged; a script must see that in the exit code. */
const UNPROVEN = 3;

function inWords({ ok, chains, findings, unproven, uncleanStops, proof }: VerifyReport): string[] {
  return [
    ...(proof ? [`The proof is genuine: ${proof.rows} rows, verified ${proof.at} by ${proof.by}.`] : []),
    ...chains.map(
      ({ chain, segments, batches, rows }) => `${chain}: ${segments} segments, ${batches} batches, ${rows} rows`,
    ),
    ...uncleanStops.map(
      ({ chain, from, to }) => `${chain}: stopped uncleanly; rows between ${from} and ${to} may be missing`,
    ),
    ...unproven.flatMap(unprovenInWords),
    ...findings,
    verdict(ok, unproven),
  ];
}

function unprovenInWords({ chain, from, to, sealed, rows, listed }: VerifyReport['unproven'][number]): string[] {
  const why = sealed ? 'were appended after a clean stop' : 'follow the last anchor before an unclean stop';
  const more = rows - listed.length;
  return [
    `${chain}: batches ${from} to ${to} ${why}; no anchor covers these ${rows} rows:`,
    ...listed.map(({ batch, time, type, requestId, act }) =>
      ['  batch', batch, time, type, ...(act ? [act] : []), ...(requestId ? [requestId] : [])].join(' '),
    ),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function verdict(ok: boolean, unproven: VerifyReport['unproven']): string {
  if (!ok) return 'The journal is NOT intact.';
  const rows = unproven.reduce((sum, found) => sum + found.rows, 0);
  return rows === 0
    ? 'The journal is intact.'
    : `The journal is intact up to its anchors; ${rows} rows are NOT proven.`;
}

import { join } from 'node:path';
import type { VerifyReport } from '../contracts.ts';
import { createLogger } from '#common/node/log.ts';
import { expectData } from './ask-data.ts';
import type { Command } from './command.ts';
import { refuseForeignData } from './data-owner.ts';
import { askHost } from './host-call.ts';
import { DATA_FLAGS, dataOptions } from './options.ts';

export const auditVerify: Command = {
  name: 'audit verify',
  summary: 'checks both chains of the audit journal; exits 1 when anything was changed, 3 when rows are not proven',
  flags: { ...DATA_FLAGS, json: { help: 'prints the report as one JSON line' } },
  positionals: [],
  run: async (args, { environment, print }) => {
    const report = await reportOn(dataOptions(args, environment).dataDir);
    if (args.flags.has('json')) print(JSON.stringify(report));
    else for (const line of inWords(report)) print(line);
    if (!report.ok) return 1;
    return report.unproven.length === 0 ? 0 : UNPROVEN;
  },
};

/** Of the running host, or of the files as they are: nothing is written into a stopped folder. */
async function reportOn(dataDir: string): Promise<VerifyReport> {
  const answer = await askHost(dataDir, { command: 'audit-verify' });
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
    }),
  );
}

/** Rows that no anchor covers can be genuine or forged; whoever asks from a script must see that. */
const UNPROVEN = 3;

function inWords({ ok, chains, findings, unproven, uncleanStops }: VerifyReport): string[] {
  return [
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
  if (!ok) return 'The journal is NOT whole.';
  const rows = unproven.reduce((sum, found) => sum + found.rows, 0);
  return rows === 0 ? 'The journal is whole.' : `The journal is whole up to its anchors; ${rows} rows are NOT proven.`;
}

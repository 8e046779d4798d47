import type { VerifyReport } from '../contracts.ts';
import { askData } from './ask-data.ts';
import type { Command } from './command.ts';
import { DATA_FLAGS, dataOptions } from './options.ts';

export const auditVerify: Command = {
  name: 'audit verify',
  summary: 'checks both chains of the audit journal; exits 1 when anything was changed',
  flags: { ...DATA_FLAGS, json: { help: 'prints the report as one JSON line' } },
  positionals: [],
  run: async (args, { environment, print }) => {
    const report = (await askData(dataOptions(args, environment), { command: 'audit-verify' })) as VerifyReport;
    if (args.flags.has('json')) print(JSON.stringify(report));
    else for (const line of inWords(report)) print(line);
    return report.ok ? 0 : 1;
  },
};

function inWords({ ok, chains, findings, uncleanStops }: VerifyReport): string[] {
  return [
    ...chains.map(
      ({ chain, segments, batches, rows }) => `${chain}: ${segments} segments, ${batches} batches, ${rows} rows`,
    ),
    ...uncleanStops.map(
      ({ chain, from, to }) => `${chain}: stopped uncleanly; rows between ${from} and ${to} may be missing`,
    ),
    ...findings,
    ok ? 'The journal is whole.' : 'The journal is NOT whole.',
  ];
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ROOT } from '#test/paths.ts';
import type { RowResult } from './results.ts';
import { ROWS } from './rows.ts';
import { demoTable, testsTable } from './table.ts';

const FILE = join(ROOT, 'CONTRIBUTING.md');
const BEGIN = '<!-- machines: written by `npm run try:machines -- --write` -->';
const END = '<!-- /machines -->';

/** Writes the results of a commit between the marks in CONTRIBUTING.md; throws if a mark is missing. */
export async function writeTables(commit: string, results: readonly RowResult[]): Promise<void> {
  const text = readFileSync(FILE, 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`CONTRIBUTING.md has no lines ${BEGIN} and ${END}`);
  const body = [
    `Commit ${commit.slice(0, 10)}:`,
    demoTable(ROWS, results),
    ...(results.some((one) => one.result.kind === 'tests') ? [testsTable(ROWS, results)] : []),
  ].join('\n\n');
  const whole = `${text.slice(0, begin)}${BEGIN}\n\n${body}\n${text.slice(end)}`;
  writeFileSync(FILE, await format(whole, { ...(await resolveConfig(FILE)), filepath: FILE }));
}

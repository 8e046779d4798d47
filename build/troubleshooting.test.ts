import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CATALOGUE } from '#common/errors/catalogue.ts';
import { NODE_CODES } from '#common/errors/node-codes.ts';
import { ALARM_CODES } from '#common/alarms/codes.ts';

/** Every error code that Sluice can show is on the troubleshooting page. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/guides/troubleshooting.md'), 'utf8');

const rows = PAGE.split('\n').filter((line) => line.startsWith('|'));
const inRows = (code: string): boolean => rows.some((row) => row.includes(`\`${code}\``));
const missing = (codes: Iterable<string>): string[] => [...new Set(codes)].filter((code) => !inRows(code));

test('every refusal of the gateway and the admin API has a row with its status', () => {
  expect(missing(Object.keys(CATALOGUE))).toEqual([]);
  for (const [code, { status }] of Object.entries(CATALOGUE)) {
    const withStatus = rows.filter((row) => new RegExp(`^\\| \\d{3} +\\| \`${code}\``).test(row));
    for (const row of withStatus) expect(row).toMatch(new RegExp(`^\\| ${status} `));
  }
});

test('every alarm has a row', () => {
  expect(ALARM_CODES.length).toBeGreaterThan(15);
  expect(missing(ALARM_CODES)).toEqual([]);
});

test('every code with which a node or a capability call fails has a row', () => {
  expect(missing(Object.keys(NODE_CODES))).toEqual([]);
});

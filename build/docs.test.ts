import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { CALLS } from '#common/capabilities/calls.ts';
import { SETTING_SECTIONS, SETTINGS } from '#common/model/settings.ts';
import { EXPLANATIONS } from '#common/errors/refusals.ts';
import { kinds } from '#plugins';
import { dirPerFile } from '#test/test-dir.ts';
import { REFERENCE, staleFiles, writeReference } from './docs.ts';

const KINDS = 'docs/reference/kinds.md';
const CALLS_PAGE = 'docs/reference/capabilities.md';
const ERRORS = 'docs/reference/errors.md';
const SETTINGS_PAGE = 'docs/reference/settings.md';
const TYPES = 'docs/reference/script-types.d.ts';
const pages: Record<string, string> = {};
const folder = dirPerFile();

beforeAll(async () => {
  await writeReference(folder.path);
  for (const file of Object.keys(REFERENCE)) pages[file] = await readFile(join(folder.path, file), 'utf8');
});

/** The text below a heading, up to the next of its level. */
function section(file: string, heading: string): string {
  const text = pages[file] ?? '';
  const begin = text.indexOf(`\n${heading}\n`);
  const level = heading.slice(0, heading.indexOf(' '));
  const end = text.indexOf(`\n${level} `, begin + 1);
  return begin < 0 ? '' : text.slice(begin, end < 0 ? undefined : end);
}

test('every kind has its titled settings and each of its examples', () => {
  for (const kind of kinds) {
    const text = section(KINDS, `## ${kind.id}`);
    for (const { title, settings } of kind.examples) {
      expect(text, kind.id).toContain('Example: ');
      expect(text.replaceAll('\\', ''), `${kind.id}: ${title}`).toContain(`Example: ${title}`);
      for (const name of Object.keys(settings as object)) expect(text, kind.id).toContain(`| \`${name}\``);
    }
  }
});

test('an omitted setting is listed with its default', () => {
  const ingress = section(KINDS, '## rest-api');
  expect(ingress).toMatch(/\| `authType` +\| `"api_key"`, `"none"` +\| `"api_key"` +\|/);
  expect(ingress).toMatch(/\| `requiredScopes` +\| list of texts, or one text with commas +\| `\[\]` +\|/);
  expect(ingress).toMatch(/\| `maxPayloadSize` +\| number or text +\| `1048576` +\|/);
  expect(section(KINDS, '## tag-read')).toMatch(/\| `tags` [^\n]*\| _required_ +\|/);
});

test('the fields of a list of objects are listed too', () => {
  expect(section(KINDS, '## switch')).toContain('| `cases[].operator` |');
});

test('every setting is in its section, with its default, unit and time of effect', () => {
  for (const [name, { section: id, title }] of Object.entries(SETTINGS)) {
    const rows = section(SETTINGS_PAGE, `## ${SETTING_SECTIONS[id]}`);
    expect(rows, name).toMatch(new RegExp(`\\| \`${name}\` [^\n]* ${title.replaceAll('/', '.')}\\. `));
  }
  const address = section(SETTINGS_PAGE, '## Address');
  expect(address).toMatch(
    /\| `uiPort` +\| whole number from 0 to 65,535 +\| `8091` +\| [^\n]*Takes effect after a restart\./,
  );
  expect(section(SETTINGS_PAGE, '## Journal')).toMatch(
    /\| `journalDays` +\| whole number from 1 to 36,500, in days +\| `90` /,
  );
});

test('every call has its scope, limit, arguments and node kinds', () => {
  for (const [name, { scope, args }] of Object.entries(CALLS)) {
    const text = section(CALLS_PAGE, `### ${name}`);
    expect(text, name).toContain(scope === null ? 'Scope: none' : `Scope: \`${scope}\``);
    for (const argument of Object.keys(args.shape)) expect(text, name).toContain(`| \`${argument}\``);
  }
  expect(section(CALLS_PAGE, '## Historian')).toContain('[`history-read`](kinds.md#history-read)');
});

test('the types contain the calls of scripts, but not those for plugins only', () => {
  expect(pages[TYPES]).toContain('declare const tags:');
  expect(pages[TYPES]).not.toContain('declare const http:');
});

test('only changed and missing files are reported as stale', async () => {
  await appendFile(join(folder.path, CALLS_PAGE), 'By hand.\n');
  await rm(join(folder.path, TYPES));
  expect(await staleFiles(folder.path)).toEqual([CALLS_PAGE, TYPES]);
});

test('every code of the gateway has a section with its causes', () => {
  for (const [name, { code }] of Object.entries(EXPLANATIONS)) {
    const text = section(ERRORS, `### ${code}`);
    expect(text, name).toContain(`| \`${name}\``);
    expect(text, name).not.toContain('{{');
  }
});

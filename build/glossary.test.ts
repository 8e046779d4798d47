import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ui as en } from '#common/languages/en/ui.ts';

const PAGE = readFileSync(join(fileURLToPath(new URL('..', import.meta.url)), 'docs/GLOSSARY.md'), 'utf8');

/** Meaning by term, without Markdown markup. The German terms follow in a separate table. */
const [ENGLISH = ''] = PAGE.split('## German terms');
const rows = [...ENGLISH.matchAll(/^\| \*\*(.+?)\*\* +\| (.+?) +\| .*\|$/gm)];
const terms = rows.map(([, term = '', meaning = '']) => [term, meaning.replaceAll(/[`_]/g, '')] as const);

test('no term has two meanings', () => {
  expect(terms.length).toBeGreaterThan(60);
  const names = terms.map(([term]) => term.toLowerCase());
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the Help page of the admin UI explains its terms with the same sentences', () => {
  const { word, meaning } = en.shell.help;
  const glossary = new Map(terms);
  for (const name of Object.keys(word) as (keyof typeof word)[])
    expect(glossary.get(word[name]), word[name]).toBe(meaning[name]);
});

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createSlugs } from './site/slug.ts';
import { PAGES } from './spec-pages.ts';
import { SPEC_TESTS } from './spec-tests.ts';
import { UNTESTED, WITHOUT_RULES } from './spec-untested.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEXTS = [
  '{build,common,gateway,main,plugins,renderer,test}/**/*.{ts,tsx,css}',
  'docs/**/*.md',
  '*.{md,ts}',
  '.github/**/*.{md,yml}',
];
const LINK = /docs\/spec\/[\w.-]+\.md(?:#[\w-]+)?/g;
/** Pages that the specification replaced. They are not part of the sources. */
const FORMER = /\bbehaviour(?:\.md| \d)|(?<![\w-])(?:service|reference)\.md\b/i;

const texts = globSync(TEXTS, { cwd: ROOT, exclude: ['**/node_modules', 'renderer/dist'] }).map((file) => ({
  file,
  text: readFileSync(join(ROOT, file), 'utf8'),
}));

/** `docs/spec/keys.md` and `docs/spec/keys.md#rotation`, for each page and heading. */
function placesOf(page: string, text: string): string[] {
  const anchorOf = createSlugs();
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
  return [page, ...headings.map((anchor) => `${page}#${anchor}`)];
}

test('every link to the specification leads to a heading', () => {
  const pages = texts.filter(({ file }) => file.startsWith('docs/spec/'));
  const places = new Set(pages.flatMap(({ file, text }) => placesOf(file, text)));
  const links = texts.flatMap(({ file, text }) => [...text.matchAll(LINK)].map(([link]) => ({ file, link })));
  expect(links.length).toBeGreaterThan(150);
  const dangling = links.filter(({ link }) => !places.has(link));
  expect(dangling.map(({ file, link }) => `${file}: ${link}`)).toEqual([]);
});

test('no text cites the pages that the specification replaced', () => {
  expect(texts.filter(({ text }) => FORMER.test(text)).map(({ file }) => file)).toEqual([]);
});

const SECTIONS = PAGES.flatMap(({ sections }) => sections.map(({ id }) => id));

test('every section has tests or is listed as untested', () => {
  const listed = [...Object.keys(SPEC_TESTS), ...WITHOUT_RULES, ...Object.keys(UNTESTED)];
  expect(SECTIONS.filter((id) => !listed.includes(id))).toEqual([]);
  expect(listed.filter((id) => !SECTIONS.includes(id))).toEqual([]);
  expect(Object.entries(SPEC_TESTS).filter(([, files]) => files.length === 0)).toEqual([]);
});

test('every listed test file exists', () => {
  const files = new Set(Object.values(SPEC_TESTS).flat());
  expect([...files].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('the overview counts the rules without a test', () => {
  const words = ['no rules', 'the one rule', 'the two rules', 'the three rules', 'the four rules', 'the five rules'];
  const overview = PAGES.find(({ name }) => name === 'overview.md')?.text;
  expect(overview).toContain(`${words[Object.keys(UNTESTED).length]} that no test checks`);
});

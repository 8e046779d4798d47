import { expect, test } from 'vitest';
import { CATALOGUE } from '#common/errors/catalogue.ts';
import { numbersOf, proseOf, statusesIn, statusOf, unaccounted } from './spec-numbers.ts';
import { PAGES } from './spec-pages.ts';

/** The numbers of the specification are those of the product: this test fails if a constant or a page changes. */
test.each(PAGES)('$name contains the numbers of the product', ({ name, text }) => {
  const prose = proseOf(text);
  const { said, plain = [] } = numbersOf(name);
  expect([...said, ...plain].filter((phrase) => !prose.includes(phrase))).toEqual([]);
});

test.each(PAGES)('every number in $name is accounted for', ({ name, text }) => {
  expect(unaccounted(proseOf(text), numbersOf(name))).toEqual([]);
});

test('every status that a page gives for a code matches the catalogue', () => {
  const found = PAGES.flatMap(({ name, text }) => statusesIn(proseOf(text)).map((one) => ({ name, ...one })));
  expect(found.length).toBeGreaterThan(40);
  expect(found.filter(({ status, code }) => status !== statusOf(code))).toEqual([]);
});

test('every code of the catalogue is on a page', () => {
  const text = PAGES.map((page) => page.text).join('\n');
  expect(Object.keys(CATALOGUE).filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
});

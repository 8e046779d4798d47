import { expect, test } from 'vitest';
import { CATALOGUE } from '#common/errors/catalogue.ts';
import { fixesOf, REMEDIES, saidOf } from '../features/journal/refusal-words.ts';
import { de } from './text/de.ts';
import { en } from './text/en.ts';

/** The catalogue names the gateway's refusals first, up to the failed pipeline. */
const codes = Object.keys(CATALOGUE);
const gatewayCodes = codes.slice(0, codes.indexOf('pipeline_failed') + 1);

test.each(gatewayCodes)('%s is explained in both languages, with what lets it pass', (code) => {
  const said = saidOf({ requestId: 'r', step: 5, code, compared: {}, mend: '' });
  expect(said).not.toBeNull();
  if (said === null) return;
  for (const { journalPage } of [en, de]) {
    expect(journalPage.said[said].lead).not.toBe('');
    for (const { name, place } of fixesOf(said)) expect(journalPage.fix[name].act === '').toBe(place === null);
  }
});

test('there is a sentence for each cause that is known, and for no other', () => {
  const known = Object.keys(REMEDIES).toSorted();
  for (const { journalPage } of [en, de]) expect(Object.keys(journalPage.said).toSorted()).toEqual(known);
});

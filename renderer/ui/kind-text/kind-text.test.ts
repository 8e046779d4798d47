import { expect, test } from 'vitest';
import { kinds, manifestOf } from '#plugins';
import { texts } from './languages/de.ts';

/** Titles and help that the shipped kinds tell. */
function told(value: unknown, found: Set<string>): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    if ((name === 'title' || name === 'description') && typeof inner === 'string') found.add(inner);
    else told(inner, found);
  }
  return found;
}

const english = new Set(
  kinds.map(manifestOf).flatMap(({ title, summary, settings }) => [title, summary, ...told(settings, new Set())]),
);

test('German has every text of the shipped kinds, and no other', () => {
  expect(Object.keys(texts).toSorted()).toEqual([...english].toSorted());
});

test('German keeps what is written in place of values', () => {
  for (const [text, german] of Object.entries(texts))
    expect(german.includes('{{payload.…}}'), text).toBe(text.includes('{{payload.…}}'));
});

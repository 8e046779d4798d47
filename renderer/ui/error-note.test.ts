import { createInstance } from 'i18next';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, test } from 'vitest';
import { ApiError } from '../api/problem.ts';
import { ui as de } from '#common/languages/de/ui.ts';
import { ui as en } from '#common/languages/en/ui.ts';
import { ErrorNote } from './error-note.tsx';

async function noteIn(language: 'en' | 'de', error: Error): Promise<string> {
  const text = createInstance();
  const resources = { en: { ui: en }, de: { ui: de } };
  await text.init({ lng: language, resources, defaultNS: 'ui', nsSeparator: false });
  return renderToStaticMarkup(createElement(I18nextProvider, { i18n: text }, createElement(ErrorNote, { error })));
}

test('a message available only in English is preceded by the title of its code', async () => {
  const error = new ApiError(409, 'conflict', 'A message without a translation.');
  expect(await noteIn('de', error)).toContain(`<p>${de.errors.codes.conflict}.</p>`);
  expect(await noteIn('de', error)).toContain('<span lang="en">A message without a translation.</span>');
  expect(await noteIn('en', error)).not.toContain(en.errors.codes.conflict);
});

test('an error of the page shows its message, without the name of its class', async () => {
  const note = await noteIn('en', new RangeError('The list is too long.'));
  expect(note).toContain('<p class="t2">The list is too long.</p>');
  expect(note).not.toContain('RangeError');
});

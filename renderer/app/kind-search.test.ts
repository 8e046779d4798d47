import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { kinds, manifestOf } from '#plugins';
import { choiceNote, choiceText } from '../features/pipeline-editor/canvas/choice-words.ts';
import { choiceId, choicesOf } from '../features/pipeline-editor/model/choices.ts';
import { foundBy } from '../ui/found-by.ts';
import { ui as de } from '#common/languages/de/ui.ts';
import { later } from '#common/languages/en/later.ts';
import { ui as en } from '#common/languages/en/ui.ts';

const CHOICES = choicesOf(new Map(kinds.map(manifestOf).map((kind) => [kind.id, kind])));

async function words(language: 'en' | 'de') {
  const text = createInstance();
  await text.init({
    lng: language,
    resources: { [language]: { ui: { en: { ...en, ...later }, de }[language] } },
    defaultNS: 'ui',
  });
  return text.t;
}

/** IDs of the kinds that match a query, the best match first. */
async function found(language: 'en' | 'de', query: string): Promise<string[]> {
  const t = await words(language);
  return foundBy(CHOICES, query, (choice) => choiceText(t, choice)).map(choiceId);
}

const EXPECTED = {
  insert: 'sql',
  webhook: 'rest-api ingress',
  opc: 'tag-read',
  mqtt: 'tag-read',
  if: 'switch',
  branch: 'switch',
  function: 'transform',
  code: 'transform',
  filter: 'switch',
  map: 'set',
  wait: 'delay',
  save: 'variable-write',
  cron: 'timer',
  subscribe: 'tag-change',
};

test.each(Object.entries(EXPECTED))('in both languages, "%s" finds %s', async (query, kind) => {
  expect(await found('en', query)).toContain(kind);
  expect(await found('de', query)).toContain(kind);
});

test.each(
  Object.entries({
    wenn: 'switch',
    Verzweigung: 'switch',
    warten: 'delay',
    speichern: 'variable-write',
    Funktion: 'transform',
    SPS: 'tag-read',
    Datenbank: 'named-query',
    Zeitplan: 'timer',
    senden: 'rest-api egress',
  }),
)('in German, "%s" finds %s', async (query, kind) => {
  expect(await found('de', query)).toContain(kind);
});

test('kinds that begin with the query come first, then kinds with a matching synonym', async () => {
  expect((await found('en', 'tr')).slice(0, 2)).toEqual(['transform', 'transaction']);
  expect((await found('en', 'if'))[0]).toBe('switch');
  expect(await found('en', 'write file')).toEqual(['file-write']);
  expect(await found('en', 'no such thing')).toEqual([]);
});

test('every shipped kind has synonyms that find it, and a summary short enough for the palette', async () => {
  for (const language of ['en', 'de'] as const) {
    const t = await words(language);
    const lines = CHOICES.map((choice) => choiceNote(t, choice));
    for (const choice of CHOICES) expect(choiceText(t, choice).words, choice.kind.id).toMatch(/^\S/);
    expect(new Set(lines).size).toBe(CHOICES.length);
    for (const [index, line] of lines.entries()) {
      expect(line.length, line).toBeLessThanOrEqual(46);
      expect(line).not.toBe(CHOICES[index]?.kind.summary);
    }
  }
});

test('titles of kinds that perform an action begin with a verb', () => {
  const titles = new Map(CHOICES.map(({ kind }) => [kind.id, kind.title]));
  expect([...titles].filter(([id]) => /-(read|write)$/.test(id)).map(([, title]) => title)).toEqual([
    'Read tags',
    'Write tags',
    'Read history',
    'Read variable',
    'Write variable',
    'Read file',
    'Write file',
  ]);
});

test('a third-party kind is shown with its summary and found by it', async () => {
  const manifests = kinds.filter(({ id }) => id === 'set').map(manifestOf);
  const choices = choicesOf(
    new Map(manifests.map((kind) => ['mix', { ...kind, id: 'mix', summary: 'Doses two fluids.' }])),
  );
  for (const language of ['en', 'de'] as const) {
    const t = await words(language);
    expect(choices.map((choice) => choiceNote(t, choice))).toEqual(['Doses two fluids.']);
    expect(foundBy(choices, 'doses', (choice) => choiceText(t, choice))).toEqual(choices);
    expect(choices.map((choice) => choiceText(t, choice).words)).toEqual([' mix mix']);
  }
});

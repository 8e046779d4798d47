import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { z, type ZodType } from 'zod';
import { problem, SluiceError } from '#common/errors/catalogue.ts';
import { ruleBroken, stated } from '#common/errors/rules.ts';
import { connectionSettings } from '#common/model/connection.ts';
import { fieldErrors } from '#common/model/fields.ts';
import { libraryScript } from '#common/model/library-script.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { tagDefinition } from '#common/model/tag.ts';
import { kinds } from '#plugins';
import { ui as de } from '#common/languages/de/ui.ts';
import { ui as en } from '#common/languages/en/ui.ts';
import { readProblem } from './problem.ts';
import { ruleText, type ServerSentence } from './rule-text.ts';

const german = createInstance();
await german.init({ lng: 'de', resources: { de: { ui: de } }, defaultNS: 'ui', nsSeparator: false });
const english = createInstance();
await english.init({ lng: 'en', resources: { en: { ui: en } }, defaultNS: 'ui', nsSeparator: false });
const inGerman = (sentence: ServerSentence) => ruleText(sentence, german);

test.each([
  [stated('length', { from: 1, to: 64 }), '1 bis 64 Zeichen eingeben.'],
  [stated('length_max', { max: 65_536 }), 'Höchstens 65.536 Zeichen eingeben.'],
  [stated('range', { what: 'seconds', from: 0.1, to: 3_600 }), 'Einen Wert von 0,1 bis 3.600 eingeben.'],
  [stated('one_of', { values: ['sine', 'ramp'] }), 'Möglich sind: sine, ramp.'],
  [stated('port_taken', { port: '9464' }), 'Port 9464 ist durch ein anderes Programm belegt. Einen anderen wählen.'],
  [stated('user_taken', { name: 'J. $& {{name}}' }), 'Einen Benutzer namens „J. $& {{name}}“ gibt es schon.'],
  [
    stated('draft_changed', { what: 'script', name: 'totals' }),
    'Der Entwurf von „totals“ wurde inzwischen geändert. Neu laden.',
  ],
] as const)('$0.message', (sentence, text) => {
  expect(inGerman(sentence)).toEqual({ text, isOurs: true });
});

test('a sentence without a rule, or with a rule of a newer release, stays in English and is marked as such', () => {
  const other = { message: 'There is no stored call.' };
  expect(inGerman(other)).toEqual({ text: other.message, isOurs: false });
  const newer = { ...other, rule: 'of_tomorrow' } as unknown as ServerSentence;
  expect(inGerman(newer)).toEqual({ text: other.message, isOurs: false });
  expect(ruleText(stated('text'), english)).toEqual({ text: 'expected a string', isOurs: true });
});

test('a problem keeps the rules of its detail and fields in the response', async () => {
  const { sentence, errors } = new SluiceError('conflict', stated('key_taken', { name: 'MES' }), {
    errors: [ruleBroken('name', 'key_taken', { name: 'MES' })],
  });
  const body = problem('conflict', sentence ?? '', 'r1', errors);
  expect(body).toMatchObject({ rule: 'key_taken', params: { name: 'MES' } });
  const error = await readProblem(new Response(JSON.stringify(body), { status: 409 }));
  const words = inGerman(error.sentence).text;
  expect(words).toContain('„MES“');
  expect(error.errors.map(inGerman)).toEqual([{ text: words, isOurs: true }]);
});

const ANY_SCHEMA = { io: 'input', unrepresentable: 'any' } as const;
const WRONG: readonly [name: string, schema: ZodType, value: unknown][] = [
  [
    'tag',
    tagDefinition,
    { path: '', title: 'x'.repeat(200), type: 'z', unit: 'x'.repeat(40), source: { provider: 'memory' } },
  ],
  ['opcua', tagDefinition, { path: 'a', type: 'number', source: { provider: 'opcua', connection: '', nodeId: 'q' } }],
  [
    'modbus',
    tagDefinition,
    { path: 'a', type: 'number', source: { provider: 'modbus', connection: 'c', address: 'x', poll: 0 } },
  ],
  [
    'connection',
    connectionSettings,
    { kind: 'postgresql', host: '', port: 'x', database: '', user: '', connectTimeout: 0, other: 1 },
  ],
  ['script', libraryScript, { id: 'A B', description: 'x'.repeat(600), code: 'x', deadline: 'x' }],
  [
    'settings',
    settingsSchema,
    { gatewayPort: 'x', baseUrl: 'edge', gatewayHost: 'x', trustedProxies: ['x'], metricsToken: 'x', tls: 1 },
  ],
  // Zod's own checks, without a message of Sluice.
  ['zod', settingsSchema, { gatewayHost: 1, tlsKey: [], trustedProxies: ['::1'], metricsToken: 'x'.repeat(300) }],
];

test.each(WRONG)('each message about the fields of this form has a rule and a German text: %s', (_, schema, value) => {
  const read = schema.safeParse(value);
  const messages = read.success ? [] : fieldErrors(read.error);
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.filter((message) => message.rule === undefined || !inGerman(message).isOurs)).toEqual([]);
});

/** Invalid for every kind, each at its field. */
const NOT_SETTINGS = [
  { mode: 'ingress', unknown: 1 },
  { mode: 'egress', unknown: 1 },
  Object.fromEntries(
    kinds
      .flatMap((kind) => Object.keys(z.toJSONSchema(kind.settings, ANY_SCHEMA).properties ?? {}))
      .map((name) => [name, [[]]]),
  ),
];

test('settings that no shipped kind accepts are refused by rules that have a German text', () => {
  const refused = kinds.flatMap((kind) => NOT_SETTINGS.map((settings) => kind.settings.safeParse(settings)));
  const messages = refused.flatMap((read) => (read.success ? [] : fieldErrors(read.error)));
  expect(messages.length).toBeGreaterThan(kinds.length);
  // The check of a JSON Schema explains itself in English only.
  const unworded = messages.filter((message) => !inGerman(message).isOurs);
  expect(unworded.filter(({ path }) => path !== 'schema')).toEqual([]);
});

import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { connectionSettings } from '#common/model/connection.ts';
import { fieldErrors } from '#common/model/fields.ts';
import { libraryScript } from '#common/model/library-script.ts';
import { settingsSchema } from '#common/model/settings.ts';
import { tagDefinition } from '#common/model/tag.ts';
import { de } from '../app/text/de.ts';
import { saidIn } from './server-words.ts';

const text = createInstance();
await text.init({
  lng: 'de',
  resources: { de: { ui: de } },
  defaultNS: 'ui',
  nsSeparator: false,
  interpolation: { escapeValue: false },
});
const german = (message: string) => saidIn(text.t, 'de', message);

test.each([
  ['expected 1 to 64 characters', '1 bis 64 Zeichen eingeben.'],
  [
    'expected a name without line breaks, control characters and invisible characters',
    'Einen Namen ohne Zeilenumbrüche, Steuerzeichen und unsichtbare Zeichen eingeben.',
  ],
  ['expected code of at most 65,536 characters', 'Höchstens 65.536 Zeichen eingeben.'],
  ['expected seconds from 0.1 to 3,600', 'Einen Wert von 0,1 bis 3.600 eingeben.'],
  ['expected sine, ramp, random or counter', 'Möglich sind: sine, ramp, random, counter.'],
  ['expected scheme and host such as http://edge-7, without port and path', 'Eine Angabe wie http://edge-7 eingeben.'],
  [
    '"10.0.0" is not an address range such as 10.0.0.0/8',
    '„10.0.0“ passt hier nicht. Eine Angabe wie 10.0.0.0/8 eingeben.',
  ],
  ['There is already a user named "J. $& Keller".', 'Einen Benutzer namens „J. $& Keller“ gibt es schon.'],
  ['There is already a project "filling-line".', 'Ein Projekt „filling-line“ gibt es schon. Eine andere ID wählen.'],
  [
    'There is already a pipeline "orders" in this project.',
    'Das Projekt hat schon eine Pipeline „orders“. Eine andere ID wählen.',
  ],
  [
    'The project has a pipeline "orders" already; expected another id.',
    'Das Projekt hat schon eine Pipeline „orders“. Eine andere ID wählen.',
  ],
  [
    'There is already a script "scale" in this project.',
    'Das Projekt hat schon ein Skript „scale“. Einen anderen Namen wählen.',
  ],
  [
    'The connection "mes" is used by query orders, tag a/b and 2 more; change that first.',
    '„mes“ wird noch verwendet: query orders, tag a/b and 2 more. Zuerst dort ändern.',
  ],
  [
    'expected a name other than "." and "..", which no URL can hold',
    'Einen anderen Namen als „.“ und „..“ eingeben: Diese sind in einer URL nicht möglich.',
  ],
  ['there is no tag "press/speed", "press/on"', 'Es gibt kein Tag "press/speed", "press/on".'],
  [
    '"../x": no name begins with a space, is "." or "..", or ends with a dot or a space',
    'Dateiname „../x“: Kein Name beginnt mit Leerzeichen, endet mit Punkt oder Leerzeichen oder ist „.“ oder „..“.',
  ],
  [
    'expected printable characters of Latin-1 outside of {{…}}; there is "€" (U+20AC)',
    'Außerhalb von Platzhaltern nur druckbare Latin-1-Zeichen eingeben; hier steht "€" (U+20AC).',
  ],
  [
    'expected one media type such as text/html, without a comma outside of quotes',
    'Einen einzigen Medientyp wie text/html; charset=utf-8 eingeben, ohne Komma außerhalb von Anführungszeichen.',
  ],
  [
    'port 9464 is in use by another program; choose another',
    'Port 9464 ist durch ein anderes Programm belegt. Einen anderen wählen.',
  ],
  [
    'this machine has no address 192.0.2.1; choose another',
    'Dieser PC hat keine Adresse 192.0.2.1. Eine andere wählen.',
  ],
  [
    'is the same as gatewayPort, plainHttpPort or uiPort; expected another port',
    'Sluice verwendet diesen Port bereits. Einen anderen wählen.',
  ],
  [
    'needs a metricsToken; expected one to be set before or along with it',
    'Ohne Token ist hier nichts abrufbar. Zuerst ein Token hinterlegen.',
  ],
  [
    'cannot be sent in a header; expected ASCII letters, digits and punctuation',
    'Nur ASCII-Buchstaben, Ziffern und Satzzeichen sind zulässig.',
  ],
  [
    'the header "x-a" is given twice; expected each name once',
    'Den Header „x-a“ gibt es schon. Jeden nur einmal angeben.',
  ],
  [
    'the header "Set-Cookie" sets cookies, and so on; expected another name',
    'Der Header „Set-Cookie“ ist hier nicht erlaubt. Einen anderen Namen eingeben.',
  ],
  [
    'In force now, but not saved: the revocation of the key "MES". It is saved as soon as the disk of the data folder has room. It survives a restart of Sluice. Free disk space.',
    'Die Änderung gilt ab sofort, ist aber noch nicht gespeichert. Sluice speichert sie, sobald Speicherplatz frei ist. Speicherplatz freigeben.',
  ],
  [
    'In force now, but not saved: the revocation of the key "MES". It is saved as soon as the disk of the data folder has room. Until then, a restart of Sluice undoes it. Free disk space.',
    'Die Änderung gilt ab sofort, ist aber noch nicht gespeichert. Solange das so ist, macht ein Neustart von Sluice sie rückgängig. Speicherplatz freigeben.',
  ],
  [
    'The disk of the data folder has less than its reserve free. Free disk space first.',
    'Auf dem Datenträger ist weniger als die Reserve frei. Zuerst Speicherplatz freigeben.',
  ],
  [
    'Another large request is in progress, such as an import; try again in a few seconds.',
    'Sluice empfängt gerade zu viel auf einmal, etwa einen Import. In einigen Sekunden erneut versuchen.',
  ],
  [
    'Too many passwords are being checked; try again in a few seconds.',
    'Zu viele Anmeldungen gleichzeitig. In einigen Sekunden erneut versuchen.',
  ],
  [
    'The draft of the script "totals" was changed meanwhile; read it again.',
    'Der Entwurf von „totals“ wurde inzwischen geändert. Neu laden.',
  ],
  ['expected code that runs: unexpected token (line 3)', 'Dieser Code ist nicht ausführbar: unexpected token (line 3)'],
])('%s', (message, said) => {
  expect(german(message)).toEqual({ text: said, isOurs: true });
});

test('what is not known stays as it came, and says so; English stays in every case', () => {
  expect(german('There is no stored call.')).toEqual({ text: 'There is no stored call.', isOurs: false });
  expect(saidIn(text.t, 'en', 'expected a text')).toEqual({ text: 'expected a text', isOurs: true });
});

test('messages about the fields of these forms are translated to German', () => {
  const wrong: [ZodType, unknown][] = [
    [
      tagDefinition,
      { path: '', title: 'x'.repeat(200), type: 'z', unit: 'x'.repeat(40), source: { provider: 'memory' } },
    ],
    [tagDefinition, { path: 'a', type: 'number', source: { provider: 'opcua', connection: '', nodeId: 'q' } }],
    [
      tagDefinition,
      { path: 'a', type: 'number', source: { provider: 'modbus', connection: 'c', address: 'x', poll: 0 } },
    ],
    [connectionSettings, { kind: 'postgresql', host: '', port: 'x', database: '', user: '', connectTimeout: 0 }],
    [libraryScript, { id: 'A B', description: 'x'.repeat(600), code: 'x', deadline: 'x' }],
    [settingsSchema, { gatewayPort: 'x', baseUrl: 'edge', gatewayHost: 'x', trustedProxies: ['x'], metricsToken: 'x' }],
  ];
  const messages = wrong.flatMap(([schema, value]) => {
    const read = schema.safeParse(value);
    return read.success ? [] : fieldErrors(read.error);
  });
  expect(messages.length).toBeGreaterThan(15);
  expect(messages.filter(({ message }) => !german(message).isOurs)).toEqual([]);
});

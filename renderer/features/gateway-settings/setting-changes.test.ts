import { expect, test } from 'vitest';
import { SETTINGS, settingsSchema, WRITE_ONLY_SETTINGS } from '#common/model/settings.ts';
import type { ShownSettings } from '#api/settings-queries.ts';
import { changesOf, journalNeed, movesOf, shownText } from './setting-changes.ts';
import { readTyped, typedOf } from '#ui/form/typed-values.ts';
import { FIELDS } from './setting-form.ts';

const defaults = settingsSchema.parse({});
const settings: ShownSettings = {
  ...defaults,
  tlsKey: null,
  metricsToken: null,
  overridden: [],
  pending: false,
  certificate: null,
};

test('every setting has a field of its own kind', () => {
  const kinds = Object.groupBy(FIELDS, ({ control }) => control.kind);
  const namesOf = (kind: keyof typeof kinds) => kinds[kind]?.map(({ name }) => name);
  expect(FIELDS.map(({ name }) => name as string).toSorted()).toEqual(Object.keys(defaults).toSorted());
  expect(Object.keys(kinds).toSorted()).toEqual(['bytes', 'lines', 'number', 'secret', 'select', 'text']);
  expect(namesOf('secret')).toEqual([...WRITE_ONLY_SETTINGS]);
  const controls = Object.groupBy(Object.entries(SETTINGS), ([, { control }]) => control ?? 'none');
  expect(namesOf('bytes')).toEqual(controls.bytes?.map(([name]) => name));
  const choices = Object.entries(settingsSchema.shape).filter(([, { def }]) => def.innerType.type === 'enum');
  expect(namesOf('select')).toEqual(choices.map(([name]) => name));
});

test('each value is read back from its field unchanged', () => {
  for (const field of FIELDS)
    expect(readTyped(field, typedOf(field, defaults[field.name])), field.name).toEqual(defaults[field.name]);
});

test('only changes are sent: a list by line, an amount by its unit, grouped digits', () => {
  const { patch, noNumber } = changesOf(settings, {
    baseUrl: ' http://localhost ',
    trustedProxies: ' 10.0.0.0/8 \n\n10.1.0.1',
    egressMaxBytes: '1,5 GiB',
    egressMaxEvents: '2,000,000',
    journalDays: '90',
    egressProxy: '',
  });
  expect(patch).toEqual({
    trustedProxies: ['10.0.0.0/8', '10.1.0.1'],
    egressMaxBytes: 1.5 * 1024 ** 3,
    egressMaxEvents: 2_000_000,
  });
  expect(noNumber).toEqual([]);
});

test('invalid numbers are reported and not sent', () => {
  expect(changesOf(settings, { gatewayPort: 'eighty', diskReserveBytes: '- GiB', journalDays: '1.5' })).toEqual({
    patch: {},
    noNumber: ['gatewayPort', 'diskReserveBytes', 'journalDays'],
  });
});

test('a write-only setting is kept while its field is empty, replaced by a string and removed by null', () => {
  const set: ShownSettings = { ...settings, metricsToken: { set: true } };
  expect(WRITE_ONLY_SETTINGS).toContain('metricsToken');
  expect(shownText(set, {}, 'metricsToken')).toBe('');
  expect(changesOf(set, { metricsToken: '' }).patch).toEqual({});
  expect(changesOf(set, { metricsToken: 'a token of its own' }).patch).toEqual({ metricsToken: 'a token of its own' });
  expect(changesOf(set, { metricsToken: null }).patch).toEqual({ metricsToken: null });
  expect(changesOf(settings, { metricsToken: null }).patch).toEqual({});
});

test('settings of another TLS mode are not sent, and the plain HTTP port is sent only with TLS', () => {
  const typed = { tlsCertificate: 'CERT', tlsKey: 'KEY', plainHttpPort: '8092' };
  expect(changesOf(settings, typed).patch).toEqual({});
  expect(changesOf(settings, { ...typed, tls: 'own' }).patch).toEqual({ tls: 'own', plainHttpPort: 8092 });
  expect(changesOf(settings, { ...typed, tls: 'custom' }).patch).toEqual({
    tls: 'custom',
    plainHttpPort: 8092,
    tlsCertificate: 'CERT',
    tlsKey: 'KEY',
  });
  const both: ShownSettings = { ...settings, tls: 'own', plainHttpPort: 8092 };
  expect(changesOf(both, { plainHttpPort: '' }).patch).toEqual({ plainHttpPort: null });
  expect(changesOf(both, { tls: 'off' }).patch).toEqual({ tls: 'off', plainHttpPort: null });
  expect(changesOf(both, { plainHttpPort: 'x' }).noNumber).toEqual(['plainHttpPort']);
});

test('a change of TLS shows the address for callers before and after', () => {
  expect(movesOf(settings, { tls: 'own' })).toEqual({ old: 'http://0.0.0.0:8090', new: 'https://0.0.0.0:8090' });
  expect(movesOf({ ...settings, tls: 'own' }, { tls: 'custom' })).toEqual({
    old: 'https://0.0.0.0:8090',
    new: 'https://0.0.0.0:8090',
  });
});

test('the required size of the journal and the days that fit follow from the current rate', () => {
  expect(journalNeed(90, 1024, 10 * 1024)).toEqual({ bytes: 90 * 1024, daysFit: 10 });
});

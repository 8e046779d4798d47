import { expect, test } from 'vitest';
import { besideForm, faultAt, ownFaults, serverFaults, settingOf } from './faults.ts';

const said = (code: string, values: Record<string, unknown>) => [code, ...Object.values(values)].join(' ');
const schema = {
  type: 'object',
  properties: {
    seconds: { type: 'number', minimum: 0.1, maximum: 3600 },
    port: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
    code: { type: 'string', minLength: 1 },
    level: { type: 'string', enum: ['info', 'warn'] },
    status: { type: 'integer' },
    list: {
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      maxItems: 1,
    },
  },
  required: ['seconds'],
  additionalProperties: false,
};
const faultsOf = (settings: object) => Object.fromEntries(ownFaults(schema, settings, said));

test('the schema alone detects errors and assigns them to the field', () => {
  expect(faultsOf({})).toEqual({ seconds: 'required' });
  expect(faultsOf({ seconds: 0 })).toEqual({ seconds: 'atLeast 0.1' });
  expect(faultsOf({ seconds: 9999 })).toEqual({ seconds: 'atMost 3600' });
  expect(faultsOf({ seconds: 'x' })).toEqual({ seconds: 'number' });
  expect(faultsOf({ seconds: 1, port: 'A1', code: '', level: 'loud', status: 1.5 })).toEqual({
    port: 'pattern',
    code: 'required',
    level: 'oneOf info, warn',
    status: 'whole',
  });
  expect(faultsOf({ seconds: 1, port: 'abcdefg' })).toEqual({ port: 'shorter 5' });
  expect(faultsOf({ seconds: 1, list: [{}] })).toEqual({ 'list.0.a': 'required' });
  expect(faultsOf({ seconds: 1, list: [{ a: 'x' }, { a: 'y' }] })).toEqual({ list: 'fewerEntries 1' });
  expect(faultsOf({ seconds: 1, more: 1 })).toEqual({ '': 'unknown more' });
  expect(faultsOf({ seconds: 1 })).toEqual({});
});

test('an unreadable schema reports nothing', () => {
  expect([...ownFaults({ $ref: 'https://elsewhere.example/x' }, {}, said)]).toEqual([]);
});

const check = {
  errors: [
    { code: 'setting_invalid', node: 'a', field: 'settings.cases.0.port', message: 'the port' },
    { code: 'setting_invalid', node: 'a', field: 'settings', message: 'exactly one' },
    { code: 'setting_invalid', node: 'b', field: 'settings.x', message: 'of another node' },
    { code: 'unknown_kind', node: 'a', message: 'no such kind' },
  ],
  warnings: [{ code: 'public_route', node: 'a', field: 'settings.authType', message: 'public' }],
  scopes: [],
  scripts: [],
};

test('errors from the server are shown at their fields, and the others next to the form', () => {
  expect([...serverFaults(check, 'a')]).toEqual([
    ['cases.0.port', 'the port'],
    ['', 'exactly one'],
  ]);
  expect(besideForm(check, 'a').map(({ error, finding }) => [error, finding.message])).toEqual([
    [true, 'exactly one'],
    [true, 'no such kind'],
    [false, 'public'],
  ]);
});

test('a field reports the errors of inner fields that have no field of their own', () => {
  const faults = serverFaults(check, 'a');
  expect(faultAt(faults, 'cases', true)).toBe('the port');
  expect(faultAt(faults, 'cases', false)).toBeNull();
  expect(faultAt(faults, 'case', true)).toBeNull();
  expect(settingOf('wires.0')).toBeNull();
});

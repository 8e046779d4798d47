import { expect, test } from 'vitest';
import { tagDefinition } from '#common/model/tag.ts';
import {
  canBeWritten,
  definitionOf,
  fieldsOf,
  newTagFields,
  PROVIDERS,
  SOURCE_FIELDS,
  sourceFields,
} from './tag-fields.ts';

const SOURCES = [
  { provider: 'memory', initial: { a: [1] } },
  { provider: 'simulator', shape: 'ramp', min: -5, max: 5.5, period: 30, interval: 0.5 },
  { provider: 'opcua', connection: 'scada', nodeId: 'ns=2;s=Filler.Speed', samplingInterval: 2 },
  {
    provider: 'modbus',
    connection: 'plc',
    unitId: 3,
    table: 'holding',
    address: 100,
    encoding: 'bit',
    byteOrder: 'CDAB',
    bit: 4,
    factor: 0.1,
    offset: 1,
    poll: 0.5,
  },
  {
    provider: 'mqtt',
    connection: 'broker',
    topic: 'hall/7',
    jsonPath: 'data.t',
    timePath: 'data.time',
    writeTopic: 'hall/7/set',
    qos: 2,
    retain: true,
  },
] as const;

test.each(SOURCES)('a tag of $provider is read back from its form unchanged', (source) => {
  const tag = tagDefinition.parse({
    path: 'a/b',
    title: 'T',
    type: 'number',
    unit: 'm',
    source,
    writable: source.provider !== 'simulator',
    writeLimits: { max: 5, onlyWhile: [{ tag: 'mode', is: '=', value: 'Remote' }] },
    history: { deadband: 0.5, maxInterval: 60 },
  });
  expect(definitionOf(fieldsOf(tag))).toEqual(tag);
});

test('the form of each source has exactly the fields that the source accepts', () => {
  for (const source of SOURCES) {
    const known = new Set(SOURCE_FIELDS[source.provider].map(({ name }) => name as string));
    expect(Object.keys(source).filter((name) => name !== 'provider' && !known.has(name))).toEqual([]);
  }
  expect(SOURCES.map(({ provider }) => provider)).toEqual([...PROVIDERS]);
});

test('a new tag is valid once it has a path', () => {
  expect(tagDefinition.parse(definitionOf({ ...newTagFields(''), path: 'a' }))).toMatchObject({ history: null });
  const simulated = { ...newTagFields('line7'), ...sourceFields('simulator'), path: 'line7/x', recorded: 'true' };
  expect(tagDefinition.parse(definitionOf(simulated))).toMatchObject({ history: { deadband: 0, maxInterval: 3600 } });
});

test('an invalid number is sent as typed, so that the response can name the field', () => {
  const fields = { ...newTagFields(''), ...sourceFields('modbus'), address: 'x', factor: '0,1', bit: '' };
  expect(definitionOf(fields)).toMatchObject({ source: { address: 'x', factor: 0.1 } });
  expect(definitionOf(fields)).not.toHaveProperty('source.bit');
});

test('a tag that can never be written is not sent as writable', () => {
  const input = { ...newTagFields(''), ...sourceFields('modbus'), table: 'input', writable: 'true' };
  expect([canBeWritten(input), definitionOf(input)]).toMatchObject([false, { writable: false }]);
  expect(canBeWritten({ ...input, table: 'coil' })).toBe(true);
  expect(canBeWritten(sourceFields('simulator'))).toBe(false);
});

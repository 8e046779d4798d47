import type { TagDefinition, TagSource, TagType } from '#common/model/tag.ts';
import { limitFieldsOf, limitsRequest } from './limit-values.ts';

/** A tag in its form: every field is a text, a checkbox "true" or "". */
export type Provider = TagSource['provider'];
export type TagFields = Record<string, string>;

/** The properties of a part of the form. */
export interface FieldsProps {
  fields: TagFields;
  onChange: (patch: TagFields) => void;
}

export const PROVIDERS = ['memory', 'simulator', 'opcua', 'modbus', 'mqtt'] as const satisfies readonly Provider[];
export const TYPES = ['number', 'integer', 'boolean', 'text', 'json'] as const satisfies readonly TagType[];

export interface FieldSpec {
  /** Its place in a definition, such as `source.address`. */
  name: FieldName;
  kind: 'text' | 'number' | 'choice' | 'tick' | 'json' | 'connection';
  usual: string;
  options?: readonly string[];
  /** Left out of the definition if it is empty. */
  optional?: boolean;
}

export type FieldName =
  | 'initial'
  | 'shape'
  | 'min'
  | 'max'
  | 'period'
  | 'interval'
  | 'connection'
  | 'nodeId'
  | 'samplingInterval'
  | 'unitId'
  | 'table'
  | 'address'
  | 'encoding'
  | 'byteOrder'
  | 'bit'
  | 'length'
  | 'factor'
  | 'offset'
  | 'poll'
  | 'topic'
  | 'jsonPath'
  | 'timePath'
  | 'writeTopic'
  | 'qos'
  | 'retain';

const number = (name: FieldName, usual: string, optional = false): FieldSpec => ({
  name,
  kind: 'number',
  usual,
  optional,
});
const text = (name: FieldName, optional = false): FieldSpec => ({ name, kind: 'text', usual: '', optional });
const choice = (name: FieldName, options: readonly string[], usual = options[0] ?? ''): FieldSpec => ({
  name,
  kind: 'choice',
  options,
  usual,
});
const connection: FieldSpec = { name: 'connection', kind: 'connection', usual: '' };

/** The fields of each source, in the order in which users fill them in. */
export const SOURCE_FIELDS: Record<Provider, readonly FieldSpec[]> = {
  memory: [{ name: 'initial', kind: 'json', usual: '' }],
  simulator: [
    choice('shape', ['sine', 'ramp', 'random', 'counter']),
    number('min', '0'),
    number('max', '100'),
    number('period', '60'),
    number('interval', '1'),
  ],
  opcua: [connection, text('nodeId'), number('samplingInterval', '1')],
  modbus: [
    connection,
    number('unitId', '1'),
    choice('table', ['holding', 'input', 'coil', 'discrete']),
    number('address', '0'),
    choice('encoding', ['uint16', 'int16', 'uint32', 'int32', 'float32', 'float64', 'bit', 'text']),
    choice('byteOrder', ['ABCD', 'CDAB', 'BADC', 'DCBA']),
    number('bit', '', true),
    number('length', '', true),
    number('factor', '1'),
    number('offset', '0'),
    number('poll', '1'),
  ],
  mqtt: [
    connection,
    text('topic'),
    text('jsonPath'),
    text('timePath'),
    text('writeTopic', true),
    choice('qos', ['1', '0', '2']),
    { name: 'retain', kind: 'tick', usual: '' },
  ],
};

/** A simulated tag, and a Modbus input, can never be written. */
export function canBeWritten(fields: TagFields): boolean {
  if (fields['provider'] === 'simulator') return false;
  return !(fields['provider'] === 'modbus' && ['discrete', 'input'].includes(fields['table'] ?? ''));
}

/** The initial form of a new tag. */
export function newTagFields(folder: string): TagFields {
  return {
    path: folder === '' ? '' : `${folder}/`,
    title: '',
    type: 'number',
    unit: '',
    writable: '',
    recorded: '',
    deadband: '0',
    maxInterval: '3600',
    stops: '',
    ...limitFieldsOf(undefined),
    ...sourceFields('memory'),
  };
}

export function specsOf(fields: TagFields): readonly FieldSpec[] {
  return SOURCE_FIELDS[PROVIDERS.find((one) => one === fields['provider']) ?? 'memory'];
}

/** The default values of a source. */
export function sourceFields(provider: Provider): TagFields {
  return { provider, ...Object.fromEntries(SOURCE_FIELDS[provider].map(({ name, usual }) => [name, usual])) };
}

export function fieldsOf(tag: TagDefinition): TagFields {
  const given: Record<string, unknown> = tag.source;
  const own = SOURCE_FIELDS[tag.source.provider].flatMap(({ name, kind }) =>
    given[name] === undefined ? [] : [[name, fieldText(given[name], kind)]],
  );
  return {
    ...newTagFields(''),
    path: tag.path,
    title: tag.title,
    type: tag.type,
    unit: tag.unit,
    writable: ticked(tag.writable),
    recorded: ticked(tag.history !== null),
    deadband: String(tag.history?.deadband ?? 0),
    maxInterval: String(tag.history?.maxInterval ?? 3_600),
    stops: ticked(tag.stopsWrites === true),
    ...limitFieldsOf(tag.writeLimits),
    ...sourceFields(tag.source.provider),
    ...Object.fromEntries(own),
  };
}

const ticked = (on: boolean) => (on ? 'true' : '');

function fieldText(value: unknown, kind: FieldSpec['kind']): string {
  if (kind === 'json') return value === null ? '' : JSON.stringify(value);
  if (kind === 'tick') return ticked(value === true);
  return String(value);
}

/** The request. A value that cannot be parsed is sent unchanged, and the response reports the expected value. */
export function definitionOf(fields: TagFields): unknown {
  const provider = PROVIDERS.find((one) => one === fields['provider']) ?? 'memory';
  const source = SOURCE_FIELDS[provider].flatMap((spec) => {
    const value = fields[spec.name] ?? '';
    return value === '' && spec.optional ? [] : [[spec.name, sourceValue(spec, value)]];
  });
  const writable = fields['writable'] === 'true' && canBeWritten(fields);
  const writeLimits = limitsRequest(fields, numberOr);
  return {
    path: fields['path']?.trim(),
    title: fields['title']?.trim(),
    type: fields['type'],
    unit: fields['unit']?.trim(),
    source: { provider, ...Object.fromEntries(source) },
    writable,
    ...(writeLimits !== undefined && { writeLimits }),
    ...(fields['stops'] === 'true' && fields['type'] === 'boolean' && { stopsWrites: true }),
    history:
      fields['recorded'] === 'true'
        ? { deadband: numberOr(fields['deadband']), maxInterval: numberOr(fields['maxInterval']) }
        : null,
  };
}

function sourceValue({ kind, name }: FieldSpec, value: string): unknown {
  switch (kind) {
    case 'number':
      return numberOr(value);
    case 'json':
      return value === '' ? null : jsonOr(value);
    case 'tick':
      return value === 'true';
    case 'choice':
      return name === 'qos' ? Number(value) : value;
    case 'text':
    case 'connection':
      return value.trim();
  }
}

/** `1,000` can mean a thousand or one: it is not accepted as a number here, where it may be written to a machine. */
const GROUPED = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/** A typed number; a comma is accepted as the decimal point. Other text is returned unchanged. */
export function numberOr(text = ''): number | string {
  const typed = text.trim();
  if (typed === '' || GROUPED.test(typed)) return text;
  const value = Number(typed.replace(',', '.'));
  return Number.isFinite(value) ? value : text;
}

/** A JSON value, or the text itself if it is not JSON: `WO-1042` needs no quotes. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

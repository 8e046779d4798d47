/**
 * A sample that fits a JSON Schema as far as a small generator can ensure: the author's values (`const`, `examples`,
 * `default`, `enum`) first, then a value of the right type. Users are expected to change it; it is not guaranteed to be
 * valid.
 *
 * Limits: `DEPTH_MAX` levels and `PARTS_MAX` steps, beyond which null is used; `ITEMS_MAX` items of a list and
 * `FIELDS_MAX` fields of an object.
 */
const DEPTH_MAX = 6;
const PARTS_MAX = 200;
const ITEMS_MAX = 3;
const FIELDS_MAX = 50;
const TEXT_CHARS_MAX = 64;

type Schema = Record<string, unknown>;

interface Work {
  /** The schema in which references are resolved: the nearest one with an `$id`, otherwise the root. */
  readonly root: unknown;
  readonly budget: { partsLeft: number };
  /** Objects have every declared property, not only the required ones. */
  readonly isWhole: boolean;
}

export function sampleOf(schema: unknown): unknown {
  return sample(schema, { root: schema, budget: { partsLeft: PARTS_MAX }, isWhole: false }, 0);
}

/** A sample that also has the optional properties, for their names. */
export function wholeSampleOf(schema: unknown): unknown {
  return sample(schema, { root: schema, budget: { partsLeft: PARTS_MAX }, isWhole: true }, 0);
}

function sample(given: unknown, around: Work, depth: number): unknown {
  if (depth > DEPTH_MAX || around.budget.partsLeft-- <= 0) return null;
  if (!isRecord(given)) return given === true ? {} : null;
  const written = writtenDown(given);
  if (written !== undefined) return written.value;
  const work = within(given, around);
  const schema = whole(given, work, depth);
  return writtenDown(schema) === undefined ? byType(schema, work, depth) : sample(schema, work, depth + 1);
}

function within(schema: Schema, work: Work): Work {
  return typeof schema['$id'] === 'string' ? { ...work, root: schema } : work;
}

function writtenDown(schema: Schema): { value: unknown } | undefined {
  if (Object.hasOwn(schema, 'const')) return { value: schema['const'] };
  const { examples } = schema;
  if (Array.isArray(examples) && examples.length > 0) return { value: examples[0] };
  for (const name of ['example', 'default']) if (Object.hasOwn(schema, name)) return { value: schema[name] };
  const values = schema['enum'];
  return Array.isArray(values) && values.length > 0 ? { value: values[0] } : undefined;
}

/** Merged with the target of its `$ref`, every part of `allOf`, and the first of `anyOf` and `oneOf`. */
function whole(schema: Schema, around: Work, depth: number): Schema {
  if (depth > DEPTH_MAX || around.budget.partsLeft-- <= 0) return schema;
  const work = within(schema, around);
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const parts = [
    ...(typeof $ref === 'string' ? [resolved($ref, work.root)] : []),
    ...(Array.isArray(allOf) ? allOf.slice(0, PARTS_MAX) : []),
    ...(Array.isArray(anyOf) ? anyOf.slice(0, 1) : []),
    ...(Array.isArray(oneOf) ? oneOf.slice(0, 1) : []),
  ].filter(isRecord);
  return parts.map((part) => whole(part, work, depth + 1)).reduce(merged, own);
}

function merged(into: Schema, part: Schema): Schema {
  const names = (schema: Schema): unknown[] => (Array.isArray(schema['required']) ? schema['required'] : []);
  const fields = (schema: Schema): Schema => (isRecord(schema['properties']) ? schema['properties'] : {});
  const both: Schema = { ...part, ...into };
  if (into['required'] !== undefined || part['required'] !== undefined)
    both['required'] = [...new Set([...names(into), ...names(part)])];
  if (into['properties'] !== undefined || part['properties'] !== undefined)
    both['properties'] = { ...fields(part), ...fields(into) };
  return both;
}

/** The target of a reference inside the same schema (RFC 6901); other references are not resolved. */
function resolved(ref: string, root: unknown): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  const names = ref.slice(2).split('/');
  return names.reduce<unknown>((at, name) => {
    const plain = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof at === 'object' && at !== null && Object.hasOwn(at, plain)
      ? (at as Record<string, unknown>)[plain]
      : undefined;
  }, root);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function byType(schema: Schema, work: Work, depth: number): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(schema, work, depth);
    case 'array':
      return sampleList(schema, work, depth);
    case 'string':
      return sampleText(schema);
    case 'integer':
      return sampleNumber(schema, 1);
    case 'number':
      return sampleNumber(schema, 0.5);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return {};
  }
}

function typeOf(schema: Schema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? 'null';
  if (type !== undefined) return type;
  if (schema['properties'] !== undefined || schema['required'] !== undefined) return 'object';
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array';
  if (schema['minimum'] !== undefined || schema['maximum'] !== undefined) return 'number';
  return schema['pattern'] !== undefined || schema['minLength'] !== undefined ? 'string' : undefined;
}

/** The required properties; all declared ones if none is required, or if all are requested. */
function sampleObject(schema: Schema, work: Work, depth: number): Schema {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const isShort = required.length > 0 && !work.isWhole;
  const names = isShort ? required : [...new Set([...Object.keys(properties), ...required])];
  const fields = names
    .slice(0, FIELDS_MAX)
    .map((name): [string, unknown] => [
      name,
      sample(Object.hasOwn(properties, name) ? properties[name] : { type: 'string' }, work, depth + 1),
    ]);
  return Object.fromEntries(fields);
}

function sampleList(schema: Schema, work: Work, depth: number): unknown[] {
  const first: unknown[] = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  const wanted = Math.min(ITEMS_MAX, Math.max(1, first.length, numberIn(schema, 'minItems') ?? 0));
  return Array.from({ length: wanted }, (_, index) =>
    sample(first[index] ?? schema['items'] ?? { type: 'string' }, work, depth + 1),
  );
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-01-31T06:00:00Z',
  date: '2026-01-31',
  time: '06:00:00Z',
  email: 'line7@plant.example',
  uuid: '00000000-0000-4000-8000-000000000001',
  ipv4: '192.0.2.10',
  ipv6: '2001:db8::10',
  uri: 'https://plant.example/1',
  hostname: 'line7.plant.example',
};

function sampleText(schema: Schema): string {
  const format = schema['format'];
  if (typeof format === 'string' && Object.hasOwn(FORMATS, format)) return FORMATS[format] ?? '';
  const least = Math.min(TEXT_CHARS_MAX, numberIn(schema, 'minLength') ?? 0);
  const most = Math.min(TEXT_CHARS_MAX, numberIn(schema, 'maxLength') ?? TEXT_CHARS_MAX);
  return 'text'.padEnd(least, 'x').slice(0, most);
}

/** The smallest allowed value, or `usual` if it is allowed. */
function sampleNumber(schema: Schema, usual: number): number {
  const step = numberIn(schema, 'multipleOf') ?? (usual === 1 ? 1 : null);
  const above = numberIn(schema, 'exclusiveMinimum');
  const below = numberIn(schema, 'exclusiveMaximum');
  const least = Math.max(numberIn(schema, 'minimum') ?? -Infinity, above === null ? -Infinity : above + (step ?? 0.5));
  const most = Math.min(numberIn(schema, 'maximum') ?? Infinity, below === null ? Infinity : below - (step ?? 0.5));
  const near = Math.min(most, Math.max(least, usual));
  return step === null || step <= 0 ? near : Math.ceil(near / step) * step;
}

function numberIn(schema: Schema, name: string): number | null {
  const value = schema[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

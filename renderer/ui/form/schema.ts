import type { Control, Field, Form, JsonSchema, Picker, Variant } from './schema-types.ts';

const PICKERS: readonly Picker[] = ['tag', 'query', 'connection', 'script', 'path', 'template', 'target'];
const DEPTH_MAX = 6;
/** Without hints: the number of fields that are shown before the others go below "More". */
const SHOWN_MAX = 6;

export function readForm(schema: unknown): Form {
  const root = isSchema(schema) ? schema : {};
  const parts = (root.oneOf ?? root.anyOf ?? []).map((part) => resolved(part, root));
  const mode = discriminator(parts);
  if (mode === null)
    return {
      mode: null,
      variants: [{ value: null, title: '', help: '', fields: fieldsOf(root, root, 0), schema: root }],
    };
  const variants = parts.map((part) => {
    const value = String(part.properties?.[mode]?.const);
    const fields = fieldsOf(part, root, 0).filter(({ name }) => name !== mode);
    const own = { ...part, ...(root.$defs !== undefined && { $defs: root.$defs }) };
    return { value, title: part.title ?? value, help: part.description ?? '', fields, schema: own };
  });
  return { mode, variants };
}

/** The fields for these settings. */
export function variantOf({ mode, variants }: Form, settings: Readonly<Record<string, unknown>>): Variant {
  const written = mode === null ? null : settings[mode];
  return variants.find(({ value }) => value === written) ?? variants[0] ?? NOTHING;
}
const NOTHING: Variant = { value: null, title: '', help: '', fields: [], schema: {} };

/** The property that has a different constant in each part. */
function discriminator(parts: readonly JsonSchema[]): string | null {
  const names = Object.keys(parts[0]?.properties ?? {});
  const found = names.find((name) => parts.every(({ properties }) => typeof properties?.[name]?.const === 'string'));
  return parts.length < 2 ? null : (found ?? null);
}

function fieldsOf(owner: JsonSchema, root: JsonSchema, depth: number): Field[] {
  const entries = Object.entries(owner.properties ?? {});
  const hinted = entries.some(([, schema]) => schema.more !== undefined || schema.control !== undefined);
  return entries.map(([name, schema], index) => {
    const required = owner.required?.includes(name) === true;
    return {
      name,
      title: schema.title ?? titleOf(name),
      help: schema.description ?? '',
      required,
      nullable: isNullable(schema),
      preset: schema.default ?? schema.preset,
      more: hinted || depth > 0 ? schema.more === true : !required && index >= SHOWN_MAX,
      choice: schema.choice ?? null,
      control: controlOf(schema, root, depth),
    };
  });
}

/** `maxPayloadSize` as "Max payload size", for a field without a title. */
function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function controlOf(given: JsonSchema, root: JsonSchema, depth: number): Control {
  const schema = resolved(given, root);
  const hint = given.control ?? schema.control;
  if (hint === 'javascript' || hint === 'sql' || hint === 'json') return { kind: 'code', language: hint };
  if (hint === 'scopes' || hint === 'size' || hint === 'bytes' || hint === 'lines') return { kind: hint };
  if (hint === 'secret') return { kind: 'secret', lines: longest(schema) > LONG_CHARS ? PEM_LINES : 1 };
  if (depth >= DEPTH_MAX) return { kind: 'code', language: 'json' };
  if (schema.const !== undefined) return { kind: 'tick', value: schema.const };
  if (schema.enum !== undefined) return choiceOf(schema.enum, given.choices ?? schema.choices);
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) return unionOf(flat(parts, root), hint, root, depth);
  return typedOf(schema, hint, root, depth);
}

function choiceOf(values: readonly unknown[], labels?: Record<string, string>): Control {
  const options = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  return options.length === values.length
    ? { kind: 'select', options, ...(labels && { labels }) }
    : { kind: 'code', language: 'json' };
}

function typedOf(schema: JsonSchema, hint: string | undefined, root: JsonSchema, depth: number): Control {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []).filter((type) => type !== 'null');
  const [type] = types;
  if (types.length !== 1) return { kind: 'any' };
  switch (type) {
    case 'string':
      return { kind: 'text', picker: pickerOf(hint), lines: linesOf(schema, hint) };
    case 'number':
    case 'integer':
      return { kind: 'number', whole: type === 'integer', unit: schema.unit ?? (hint === 'seconds' ? 's' : '') };
    case 'boolean':
      return { kind: 'switch' };
    case 'array':
      return listOf(schema, hint, root, depth);
    case 'object':
      return objectOf(schema, hint, root, depth);
    default:
      return { kind: 'any' };
  }
}

function pickerOf(hint: string | undefined): Picker | null {
  return PICKERS.find((picker) => picker === hint) ?? null;
}

const LONG_CHARS = 10_000;
const LONG_LINES = 3;
const PEM_LINES = 4;

/** The maximum length of a value in characters. */
function longest({ maxLength = 0, anyOf = [] }: JsonSchema): number {
  return Math.max(maxLength, ...anyOf.map(longest));
}

function isNullable({ type, anyOf = [] }: JsonSchema): boolean {
  return (Array.isArray(type) && type.includes('null')) || anyOf.some((part) => part.type === 'null');
}

/** A text that can be long has several lines, unless it is known to be a name or a path. */
function linesOf({ maxLength = 0 }: JsonSchema, hint: string | undefined): number {
  if (hint === 'text') return LONG_LINES;
  if (hint === 'pem') return PEM_LINES;
  return hint === undefined && maxLength > LONG_CHARS ? LONG_LINES : 1;
}

function listOf(schema: JsonSchema, hint: string | undefined, root: JsonSchema, depth: number): Control {
  const items = resolved(schema.items ?? {}, root);
  if (items.type === 'string' && items.enum === undefined)
    return { kind: 'texts', picker: pickerOf(hint ?? schema.items?.control) };
  if (items.type === 'object' && items.properties !== undefined)
    return {
      kind: 'rows',
      fields: fieldsOf(items, root, depth + 1),
      most: schema.maxItems ?? Number.POSITIVE_INFINITY,
    };
  return { kind: 'code', language: 'json' };
}

function objectOf(schema: JsonSchema, hint: string | undefined, root: JsonSchema, depth: number): Control {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.keys(properties).length > 0)
    return { kind: 'group', fields: fieldsOf(schema, root, depth + 1) };
  if (typeof additionalProperties !== 'object') return { kind: 'code', language: 'json' };
  const value = controlOf(additionalProperties, root, depth + 1);
  const names = hint === 'params' ? 'query' : hint === 'sql-params' ? 'sql' : 'free';
  const simple = value.kind === 'text' ? { ...value, lines: 1 } : value;
  return isOneLine(value) ? { kind: 'pairs', value: simple, names } : { kind: 'code', language: 'json' };
}

function isOneLine({ kind }: Control): boolean {
  return kind === 'text' || kind === 'number' || kind === 'any' || kind === 'secret' || kind === 'switch';
}

function unionOf(parts: readonly JsonSchema[], hint: string | undefined, root: JsonSchema, depth: number): Control {
  const rest = parts.filter(({ type }) => type !== 'null');
  const nullable = rest.length < parts.length;
  if (isSecret(rest)) return { kind: 'secret', lines: rest.some((part) => longest(part) > LONG_CHARS) ? PEM_LINES : 1 };
  if (isAny(rest)) return { kind: 'any' };
  if (rest.every((part) => part.const !== undefined)) return choiceOf(rest.map((part) => part.const));
  const lists = rest.filter(({ type }) => type === 'array');
  if (lists.length === 1 && rest.every(({ type }) => type === 'array' || type === 'string'))
    return listOf(lists[0] ?? {}, hint, root, depth);
  const [only] = rest;
  if (only === undefined || rest.length > 1)
    return rest.every(isScalar) ? { kind: 'any' } : { kind: 'code', language: 'json' };
  const inner = controlOf(hint === undefined ? only : { ...only, control: hint }, root, depth);
  return nullable && inner.kind === 'group' ? { kind: 'optional', fields: inner.fields } : inner;
}

const isScalar = ({ type }: JsonSchema) =>
  type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';

/** A text, or `{ "set": true }` for one that is stored elsewhere. */
function isSecret(parts: readonly JsonSchema[]): boolean {
  return (
    parts.some(({ properties }) => properties?.['set']?.const === true) && parts.some(({ type }) => type === 'string')
  );
}

function isAny(parts: readonly JsonSchema[]): boolean {
  return ['string', 'number', 'boolean', 'array', 'object'].every((type) => parts.some((part) => part.type === type));
}

function flat(parts: readonly JsonSchema[], root: JsonSchema, depth = 0): JsonSchema[] {
  return parts.flatMap((given) => {
    const part = resolved(given, root);
    const inner = part.anyOf ?? part.oneOf;
    return inner === undefined || depth >= DEPTH_MAX ? [part] : flat(inner, root, depth + 1);
  });
}

const LOCAL = '#/$defs/';

/** The target of a reference, merged with its sibling keywords. */
function resolved(schema: JsonSchema, root: JsonSchema, depth = 0): JsonSchema {
  if (schema.$ref === undefined || !schema.$ref.startsWith(LOCAL) || depth >= DEPTH_MAX) return schema;
  const { $ref, ...beside } = schema;
  const target = root.$defs?.[$ref.slice(LOCAL.length)];
  return target === undefined ? beside : { ...resolved(target, root, depth + 1), ...beside };
}

function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

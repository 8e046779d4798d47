import { code } from './markdown.ts';

/** The subset of JSON Schema for settings and arguments. */
export interface Field {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Field[];
  readonly oneOf?: readonly Field[];
  readonly items?: Field;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Field | boolean;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface FieldRow {
  /** With its parents: `cases[].port` is a field of each entry of `cases`. */
  readonly name: string;
  /** Markdown. */
  readonly type: string;
  readonly required: boolean;
  /** Undefined: none. */
  readonly preset: unknown;
  readonly title: string;
  readonly description: string;
}

/** The fields of an object, each followed by those of the objects in its list. */
export function fieldRows(owner: Field, prefix = ''): FieldRow[] {
  return Object.entries(owner.properties ?? {}).flatMap(([name, field]) => [
    {
      name: prefix + name,
      type: typeText(field),
      required: owner.required?.includes(name) === true,
      preset: field.default,
      title: field.title ?? '',
      description: field.description ?? '',
    },
    ...fieldRows(field.items ?? {}, `${prefix}${name}[].`),
  ]);
}

/** The allowed values in plain text with their limits; Markdown for a table cell. */
export function typeText(field: Field): string {
  if (field.const !== undefined) return code(JSON.stringify(field.const));
  if (field.enum !== undefined) return field.enum.map((value) => code(JSON.stringify(value))).join(', ');
  const choices = field.anyOf ?? field.oneOf;
  if (choices !== undefined) return choiceText(choices);
  if (typeof field.type === 'object') return field.type.map((type) => typeText({ type })).join(' or ');
  switch (field.type) {
    case 'string':
      return `text${charsText(field)}`;
    case 'number':
      return `number${rangeText(field)}`;
    case 'integer':
      return `whole number${rangeText(field)}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array':
      return `list of ${plural(field.items ?? {})}${itemsText(field)}`;
    case 'object':
      return objectText(field);
    default:
      return 'any JSON value';
  }
}

/** A list that may also be written as text with commas is shown as a list. */
function choiceText(choices: readonly Field[]): string {
  const [first, second] = choices;
  const commas = choices.length === 2 && first?.type === 'array' && second?.type === 'string';
  if (commas) return `${typeText(first)}, or one text with commas`;
  return choices.map(typeText).join(' or ');
}

function plural(items: Field): string {
  if (items.type === 'string') return `texts${charsText(items)}`;
  if (items.properties !== undefined) return 'objects';
  return items.type === undefined && items.enum === undefined ? 'any JSON values' : typeText(items);
}

function objectText({ properties, additionalProperties: values }: Field): string {
  if (properties !== undefined) return 'object';
  const named = typeof values === 'object' && values.type === 'string' ? `texts${charsText(values)}` : 'JSON values';
  return `object of ${named} by name`;
}

function rangeText({ minimum, maximum }: Field): string {
  const low = bounded(minimum) ? amount(minimum) : null;
  const high = bounded(maximum) ? amount(maximum) : null;
  if (low !== null && high !== null) return ` from ${low} to ${high}`;
  if (low !== null) return `, at least ${low}`;
  return high === null ? '' : `, at most ${high}`;
}

/** The range of the number type says nothing about the setting. */
function bounded(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

function charsText({ maxLength }: Field): string {
  return maxLength === undefined ? '' : ` of at most ${amount(maxLength)} characters`;
}

function itemsText({ minItems, maxItems }: Field): string {
  if (maxItems === undefined) return minItems === undefined ? '' : `, at least ${amount(minItems)}`;
  return minItems === undefined ? `, at most ${amount(maxItems)}` : `, ${amount(minItems)} to ${amount(maxItems)}`;
}

export function amount(value: number): string {
  return value.toLocaleString('en-GB');
}

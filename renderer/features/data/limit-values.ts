import { COMPARISONS, writeLimits, type WriteLimits } from '#common/model/write-limits.ts';

/** The limits of a tag in its form: texts, as in the other fields of the form. */
export const LIMIT_FIELDS = ['min', 'max', 'maxStep', 'perSecond'] as const;

/** Values and steps are limited for numbers only. */
export function limitsOfType(type: string | undefined): readonly (typeof LIMIT_FIELDS)[number][] {
  return type === 'number' || type === 'integer' ? LIMIT_FIELDS : ['perSecond'];
}

export interface ConditionFields {
  tag: string;
  /** '': any value. */
  is: string;
  value: string;
  maxAge: string;
}

export const NEW_CONDITION: ConditionFields = { tag: '', is: '=', value: '', maxAge: '' };
const CONDITIONS = 'limitConditions';
const nameOf = (field: (typeof LIMIT_FIELDS)[number]): string => `limit.${field}`;

type Fields = Record<string, string>;

export function limitFieldsOf(limits: WriteLimits | undefined): Fields {
  const numbers = LIMIT_FIELDS.map((field) => [nameOf(field), String(limits?.[field] ?? '')]);
  const conditions = (limits?.onlyWhile ?? []).map(({ tag, is = '', value, maxAge }) => ({
    tag,
    is,
    value: value === undefined ? '' : valueText(value),
    maxAge: String(maxAge ?? ''),
  }));
  return { ...Object.fromEntries(numbers), ...conditionsPatch(conditions) };
}

export function limitField(fields: Fields, field: (typeof LIMIT_FIELDS)[number]): string {
  return fields[nameOf(field)] ?? '';
}

export const limitPatch = (field: (typeof LIMIT_FIELDS)[number], value: string): Fields => ({ [nameOf(field)]: value });

export function conditionsOf(fields: Fields): ConditionFields[] {
  return JSON.parse(fields[CONDITIONS] ?? '[]') as ConditionFields[];
}

export const conditionsPatch = (conditions: readonly ConditionFields[]): Fields => ({
  [CONDITIONS]: JSON.stringify(conditions),
});

/** The part of the request; undefined without any limit. `numberOr`: see tag-fields.ts. */
export function limitsRequest(fields: Fields, numberOr: (text: string) => number | string): object | undefined {
  const given = limitsOfType(fields['type']).filter((field) => limitField(fields, field).trim() !== '');
  const onlyWhile = conditionsOf(fields).map(({ tag, is, value, maxAge }) => ({
    tag: tag.trim(),
    ...(COMPARISONS.some((one) => one === is) && { is, value: valueOf(value, numberOr) }),
    ...(maxAge.trim() !== '' && { maxAge: numberOr(maxAge) }),
  }));
  if (given.length === 0 && onlyWhile.length === 0) return undefined;
  return { ...Object.fromEntries(given.map((field) => [field, numberOr(limitField(fields, field))])), onlyWhile };
}

/** The limits in the form, if they are complete. */
export function limitsPreview(fields: Fields, numberOr: (text: string) => number | string): WriteLimits | undefined {
  return writeLimits.safeParse(limitsRequest(fields, numberOr)).data;
}

/** A number, true or false, or the text; quotes keep a text that looks like another value. */
function valueOf(text: string, numberOr: (text: string) => number | string): unknown {
  const number = numberOr(text);
  if (typeof number === 'number') return number;
  const typed = text.trim();
  if (typed === 'true' || typed === 'false') return typed === 'true';
  return /^".*"$/su.test(typed) ? typed.slice(1, -1) : typed;
}

function valueText(value: string | number | boolean): string {
  const text = String(value);
  return typeof value === 'string' && (text === 'true' || text === 'false' || Number.isFinite(Number(text)))
    ? `"${text}"`
    : text;
}

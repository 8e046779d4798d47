import { type LinearPattern, linearPattern } from '#sdk';

export const OPERATORS = [
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'in',
  'contains',
  'startsWith',
  'matches',
  'exists',
  'missing',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** Compares the value at the path (undefined if there is none). */
export interface Test {
  (value: unknown): boolean;
  /** Only for the operator "matches". */
  readonly pattern?: LinearPattern;
}

/** Creates the test of one case; throws RangeError if the value does not fit the operator. */
export function testFor(operator: Operator, wanted: unknown): Test {
  const make = MAKERS[operator];
  return make(wanted);
}

const MAKERS: Readonly<Record<Operator, (wanted: unknown) => Test>> = {
  eq: (wanted) => equalTo(given('eq', wanted)),
  ne: (wanted) => negate(equalTo(given('ne', wanted))),
  lt: (wanted) => compared('lt', wanted, (order) => order < 0),
  le: (wanted) => compared('le', wanted, (order) => order <= 0),
  gt: (wanted) => compared('gt', wanted, (order) => order > 0),
  ge: (wanted) => compared('ge', wanted, (order) => order >= 0),
  in: oneOf,
  contains: (wanted) => containing(given('contains', wanted)),
  startsWith: (wanted) => {
    const start = textFor('startsWith', wanted);
    return (value) => typeof value === 'string' && value.startsWith(start);
  },
  matches: (wanted) => {
    const pattern = linearPattern(textFor('matches', wanted));
    return Object.assign((value: unknown) => typeof value === 'string' && pattern.test(value), { pattern });
  },
  exists: (wanted) => {
    none('exists', wanted);
    return (value) => value !== undefined && value !== null;
  },
  missing: (wanted) => {
    none('missing', wanted);
    return (value) => value === undefined || value === null;
  },
};

function given(operator: Operator, wanted: unknown): unknown {
  if (wanted === undefined) throw new RangeError(`the operator "${operator}" needs a value`);
  return wanted;
}

function none(operator: Operator, wanted: unknown): void {
  if (wanted !== undefined) throw new RangeError(`the operator "${operator}" takes no value`);
}

function textFor(operator: Operator, wanted: unknown): string {
  if (typeof wanted === 'string') return wanted;
  throw new RangeError(`the operator "${operator}" needs a string as its value`);
}

function negate(test: Test): Test {
  return (value) => !test(value);
}

function equalTo(wanted: unknown): Test {
  return (value) => isEqual(value, wanted);
}

/** Compares numbers with numbers and texts with texts (by code unit); other combinations have no order. */
function compared(operator: Operator, wanted: unknown, holds: (order: number) => boolean): Test {
  if (typeof wanted !== 'number' && typeof wanted !== 'string')
    throw new RangeError(`the operator "${operator}" needs a number or a string as its value`);
  return (value) => {
    if (typeof value === 'number' && typeof wanted === 'number') return holds(value - wanted);
    if (typeof value !== 'string' || typeof wanted !== 'string') return false;
    return holds(value < wanted ? -1 : Number(value > wanted));
  };
}

function oneOf(wanted: unknown): Test {
  if (!Array.isArray(wanted)) throw new RangeError('the operator "in" needs a list as its value');
  const list: unknown[] = wanted;
  return (value) => list.some((entry) => isEqual(value, entry));
}

/** A text contains a text; a list contains an entry. */
function containing(wanted: unknown): Test {
  return (value) => {
    if (typeof value === 'string') return typeof wanted === 'string' && value.includes(wanted);
    return Array.isArray(value) && value.some((entry) => isEqual(entry, wanted));
  };
}

/** Equality of JSON values. The expected value comes from the settings and limits the work. */
function isEqual(value: unknown, wanted: unknown): boolean {
  if (value === wanted) return true;
  if (typeof value !== 'object' || typeof wanted !== 'object' || value === null || wanted === null) return false;
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) && value.length === wanted.length && wanted.every((entry, i) => isEqual(value[i], entry))
    );
  if (Array.isArray(value) || value instanceof Uint8Array) return false;
  const names = Object.keys(wanted);
  if (Object.keys(value).length !== names.length) return false;
  return names.every((name) => Object.hasOwn(value, name) && isEqual(field(value, name), field(wanted, name)));
}

function field(holder: object, name: string): unknown {
  return (holder as Record<string, unknown>)[name];
}

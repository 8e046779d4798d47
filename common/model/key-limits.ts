import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { normaliseCidr, parseCidr, rangeInside } from '../cidr.ts';
import { expected, ruleIssue } from '../errors/rules.ts';
import { LimitMatcher } from '../limits/limit-matcher.ts';
import { isSpan, WeekHours } from '../limits/week-hours.ts';
import { SCOPES, type Scope } from '../scopes.ts';

/** Lists of things: those that a scope reaches, and the targets of outgoing calls, which need no scope. */
export const THING_LISTS = [...SCOPES, 'targets'] as const;
export type ThingList = (typeof THING_LISTS)[number];
export const LIMIT_LISTS = [...THING_LISTS, 'addresses', 'hours'] as const;
export type LimitList = (typeof LIMIT_LISTS)[number];

/**
 * Limits of an API key (docs/spec/keys.md#limits): for each scope the things that the key may use with it, the targets
 * that its runs may call, the addresses from which and the hours of a week in which the key may be used, and the moment at which it ends. An absent
 * list limits nothing, an empty one allows nothing.
 */
export type KeyLimits = { [L in LimitList]?: string[] | undefined } & {
  /** RFC 3339 in UTC. */
  until?: string | undefined;
  /** Writes are simulated. */
  rehearsal?: true | undefined;
};

export const LIMIT_ENTRIES_MAX = 200;
const ENTRY_CHARS_MAX = 512;
/** The length of all lists together, as JSON: a change of limits is in the journal with the old and the new ones. */
export const LIMITS_CHARS_MAX = 65_536;

interface EntryForm {
  readonly what: string;
  readonly example: string;
  readonly form: RegExp;
}

const LETTERS = String.raw`[\p{L}\p{M}\p{N}_.*-]{1,64}`;
const TAGS: EntryForm = {
  what: 'a tag path or pattern',
  example: 'line7/filler/*',
  form: /^[A-Za-z0-9_*-]{1,64}(?:\/[A-Za-z0-9_*-]{1,64}){0,7}$/,
};
const VARIABLES: EntryForm = {
  what: 'a variable name or pattern',
  example: 'shift/*',
  form: new RegExp(`^${LETTERS}(?:/${LETTERS}){0,7}$`, 'u'),
};
const FILES: EntryForm = {
  what: 'a path or pattern of files',
  example: 'reports/**',
  // A path with "." or ".." is refused by the workspace too.
  form: /^(?!\.{1,2}(?:\/|$))[^/\\\p{C}]{1,255}(?:\/(?!\.{1,2}(?:\/|$))[^/\\\p{C}]{1,255}){0,15}$/u,
};
const QUERIES: EntryForm = { what: 'the ID of a named query', example: 'open-orders', form: /^[a-z0-9*-]{1,63}$/ };
const CONNECTIONS: EntryForm = {
  what: 'a connection, table or procedure',
  example: 'mes, mes/table/orders or mes/procedure/book_order',
  form: /^[a-z0-9*-]{1,63}(?:\/(?:table|procedure)\/[A-Za-z0-9_$.*]{1,386})?$/,
};
const TARGETS: EntryForm = {
  what: 'a host with its port',
  example: 'mes.example:443',
  form: /^(?:[a-z0-9.*_-]{1,253}|\[[0-9a-f:.]{2,45}\]):(?:\d{1,5}|\*)$/,
};
const SCRIPTS: EntryForm = {
  what: 'a script or channel',
  example: 'script/recipe or channel/orders/*',
  form: /^(?:script\/[a-z0-9*-]{1,63}|channel(?:\/[A-Za-z0-9_.*-]{1,64}){1,8})$/,
};

/** In a name, two stars match what one matches; elsewhere than at the end they would only look like a whole folder. */
const hasWideStars = (entry: string): boolean =>
  entry.split('/').some((name, index, names) => name.includes('**') && !(name === '**' && index === names.length - 1));

const unique = (entries: readonly string[]): string[] => [...new Set(entries)];

function entries({ what, example, form }: EntryForm) {
  const error = expected('form_exact', { what, example, also: '; "**" only as the last name' });
  const entry = z
    .string({ error })
    .trim()
    .normalize('NFC')
    .max(ENTRY_CHARS_MAX, expected('length_max', { max: ENTRY_CHARS_MAX }))
    .refine((text) => form.test(text) && !hasWideStars(text), error);
  return listOf(entry, error);
}

function listOf(entry: z.ZodType<string, string>, error: string) {
  return z
    .array(entry, { error: expected('list') })
    .max(LIMIT_ENTRIES_MAX, expected('count_max', { max: LIMIT_ENTRIES_MAX, of: 'entries' }))
    .transform(unique)
    .meta({ description: `At most ${LIMIT_ENTRIES_MAX}; each: ${error}.` })
    .optional();
}

const ADDRESS_EXPECTED = expected('form_exact', {
  what: 'an address or a network',
  example: '10.0.0.0/8',
  also: ' or fd00::/8',
});
const address = z
  .string({ error: ADDRESS_EXPECTED })
  .trim()
  .max(64, ADDRESS_EXPECTED)
  .refine((text) => parseCidr(text) !== null, ADDRESS_EXPECTED)
  .overwrite(canonicalRange);

/** One spelling of a network: `10.1.2.3/8` is `10.0.0.0/8`, `::ffff:10.0.0.1` is `10.0.0.1`. */
function canonicalRange(text: string): string {
  const parsed = parseCidr(text);
  if (parsed === null) return text;
  const { address: first, prefix, family } = normaliseCidr(parsed);
  const reader = family === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = reader.networkAddressFromCIDR(`${first}/${prefix}`).toString();
  return prefix === (family === 'ipv4' ? 32 : 128) ? network : `${network}/${prefix}`;
}

/** Addresses and networks, each in one spelling. */
export const addressList = listOf(address, ADDRESS_EXPECTED);
const HOURS_EXPECTED = expected('form_exact', {
  what: 'days and hours',
  example: 'mon-fri 06:00-14:00',
  also: ' or sat 22:00-06:00',
});
const hours = z
  .string({ error: HOURS_EXPECTED })
  .max(64, HOURS_EXPECTED)
  .overwrite((text) => text.trim().toLowerCase().replaceAll('–', '-').replace(/\s+/g, ' '))
  .refine(isSpan, HOURS_EXPECTED);

const MOMENT_EXPECTED = expected('form', { what: 'a time', example: '2026-12-01T18:00:00Z' });
const moment = z.iso
  .datetime({ offset: true, error: MOMENT_EXPECTED })
  .overwrite((text) => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()))
  .meta({ description: 'The moment at which the key ends.' });

const things = {
  'tag:read': entries(TAGS),
  'tag:write': entries(TAGS),
  'db:read': entries(QUERIES),
  'db:write': entries(CONNECTIONS),
  'hist:read': entries(TAGS),
  'vars:read': entries(VARIABLES),
  'vars:write': entries(VARIABLES),
  'file:read': entries(FILES),
  'file:write': entries(FILES),
  'script:execute': entries(SCRIPTS),
  targets: entries(TARGETS),
};

function refuseLongLimits(limits: KeyLimits, context: z.RefinementCtx): void {
  const max = LIMITS_CHARS_MAX;
  if (JSON.stringify(limits).length > max) context.addIssue(ruleIssue('length_max', { max }));
}

/** Limits as a caller gives them; the canonical form is the result. Refusals name the entry: `limits.tag:write.3`. */
export const keyLimits = z
  .strictObject(
    {
      ...things,
      addresses: addressList,
      hours: listOf(hours, HOURS_EXPECTED),
      until: moment.optional(),
      rehearsal: z
        .literal(true, { error: expected('one_of', { values: ['true'] }) })
        .optional()
        .meta({ description: 'Writes of the runs of the key are simulated.' }),
    },
    { error: expected('object') },
  )
  .superRefine(refuseLongLimits);

/** Limits of the grants of a pipeline: those of a key that concern things. */
export const pipelineLimits = z.strictObject(things, { error: expected('object') }).superRefine(refuseLongLimits);
export type PipelineLimits = z.infer<typeof pipelineLimits>;

/** Limits of scopes that `scopes` does not have: they would limit nothing. */
export function unheldLimits(limits: KeyLimits, scopes: readonly Scope[]): Scope[] {
  return SCOPES.filter((scope) => limits[scope] !== undefined && !scopes.includes(scope));
}

export function isLimited(limits: KeyLimits): boolean {
  return (
    limits.until !== undefined || limits.rehearsal === true || LIMIT_LISTS.some((name) => limits[name] !== undefined)
  );
}

/**
 * Whether the list `name` of `after` may allow something that the one of `before` does not. Each entry must be covered
 * by one entry of before: two halves that together cover a new entry do not count as covering it. Hours are compared
 * minute by minute.
 */
export function widensList(before: KeyLimits, after: KeyLimits, name: LimitList): boolean {
  const [old, wanted] = [before[name], after[name]];
  if (old === undefined) return false;
  return wanted === undefined || !COVERS[listKind(name)](old, wanted, name);
}

const COVERS = {
  addresses: (old: string[], wanted: string[]) =>
    wanted.every((range) => old.some((outer) => rangeInside(range, outer))),
  hours: (old: string[], wanted: string[]) => new WeekHours(old).covers(new WeekHours(wanted)),
  things(old: string[], wanted: string[], list: LimitList) {
    const matcher = new LimitMatcher(patternsOf(list, old));
    return patternsOf(list, wanted).every((entry) => matcher.covers(entry));
  },
};

/** The patterns that the entries of a list mean: a connection includes its tables and procedures. */
export function patternsOf(list: LimitList, entries: readonly string[]): string[] {
  if (list !== 'db:write') return [...entries];
  return entries.flatMap((entry) => (entry.includes('/') ? [entry] : [entry, `${entry}/**`]));
}

function listKind(name: LimitList): keyof typeof COVERS {
  return name === 'addresses' || name === 'hours' ? name : 'things';
}

/** Whether the key may be used longer with `after`. */
function widensEnd({ until: old }: KeyLimits, { until: wanted }: KeyLimits): boolean {
  return old !== undefined && (wanted === undefined || Date.parse(wanted) > Date.parse(old));
}

const performsWrites = (before: KeyLimits, after: KeyLimits): boolean =>
  before.rehearsal === true && after.rehearsal !== true;

/** Whether `after` may allow a use of the key, whatever its scope, that `before` does not. */
export function widensUse(before: KeyLimits, after: KeyLimits): boolean {
  const isWider = USE_LISTS.some((name) => widensList(before, after, name)) || widensEnd(before, after);
  return isWider || performsWrites(before, after);
}

const USE_LISTS = ['addresses', 'hours'] as const;

export function widens(before: KeyLimits, after: KeyLimits): boolean {
  return widensUse(before, after) || THING_LISTS.some((name) => widensList(before, after, name));
}

/** Limits that allow nothing, for limits that cannot be read. */
export const NOTHING_ALLOWED: KeyLimits = Object.freeze({
  ...Object.fromEntries(THING_LISTS.map((name) => [name, []])),
  addresses: [],
});

/** Stored limits. Unreadable ones, such as limits of a later version, allow nothing. */
export function readLimits(stored: unknown): KeyLimits {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return NOTHING_ALLOWED;
  for (const [name, value] of Object.entries(stored)) if (!isLimit(name, value)) return NOTHING_ALLOWED;
  return stored;
}

function isLimit(name: string, value: unknown): boolean {
  if (name === 'rehearsal') return value === true;
  if (name === 'until') return typeof value === 'string' && !Number.isNaN(Date.parse(value));
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  return isList && LIMIT_LISTS.some((list) => list === name);
}

/** The limits of `after` that widen nothing, and those of `before` instead of the others. */
export function withoutWidening(before: KeyLimits, after: KeyLimits): KeyLimits {
  const limits: KeyLimits = {};
  for (const name of LIMIT_LISTS) {
    const kept = widensList(before, after, name) ? before[name] : after[name];
    if (kept !== undefined) limits[name] = kept;
  }
  const { until } = widensEnd(before, after) ? before : after;
  const { rehearsal } = performsWrites(before, after) ? before : after;
  return { ...limits, ...(until !== undefined && { until }), ...(rehearsal && { rehearsal }) };
}

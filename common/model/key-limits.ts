import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { normaliseCidr, parseCidr } from '../cidr.ts';
import { expected, ruleIssue } from '../errors/rules.ts';
import { LimitMatcher } from '../limits/limit-matcher.ts';
import { SCOPES, type Scope } from '../scopes.ts';
import { rangeInside } from './widening.ts';

/**
 * Limits of an API key (docs/spec/keys.md#limits): for each scope the things that the key may use with it, and the
 * addresses from which the key may be used. An absent list limits nothing, an empty one allows nothing.
 */
export type KeyLimits = { [S in Scope]?: string[] | undefined } & { addresses?: string[] | undefined };

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
const CONNECTIONS: EntryForm = { what: 'the ID of a connection', example: 'mes', form: /^[a-z0-9*-]{1,63}$/ };
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

/** Limits as a caller gives them; the canonical form is the result. Refusals name the entry: `limits.tag:write.3`. */
export const keyLimits = z
  .strictObject(
    {
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
      addresses: addressList,
    },
    { error: expected('object') },
  )
  .superRefine((limits, context) => {
    const max = LIMITS_CHARS_MAX;
    if (JSON.stringify(limits).length > max) context.addIssue(ruleIssue('length_max', { max }));
  });

/** Limits of scopes that `scopes` does not have: they would limit nothing. */
export function unheldLimits(limits: KeyLimits, scopes: readonly Scope[]): Scope[] {
  return SCOPES.filter((scope) => limits[scope] !== undefined && !scopes.includes(scope));
}

export function isLimited(limits: KeyLimits): boolean {
  return limits.addresses !== undefined || SCOPES.some((scope) => limits[scope] !== undefined);
}

/**
 * Whether `after` may allow something with `scope` that `before` does not. Each entry must be covered by one entry of
 * before: two halves that together cover a new entry do not count as covering it.
 */
export function widensScope(before: KeyLimits, after: KeyLimits, scope: Scope): boolean {
  const [old, wanted] = [before[scope], after[scope]];
  if (old === undefined) return false;
  if (wanted === undefined) return true;
  const matcher = new LimitMatcher(old);
  return wanted.some((entry) => !matcher.covers(entry));
}

/** The same for the addresses: each range must be in one range of before. */
export function widensAddresses(before: KeyLimits, after: KeyLimits): boolean {
  const [old, wanted] = [before.addresses, after.addresses];
  if (old === undefined) return false;
  return wanted === undefined || wanted.some((range) => !old.some((outer) => rangeInside(range, outer)));
}

export function widens(before: KeyLimits, after: KeyLimits): boolean {
  return widensAddresses(before, after) || SCOPES.some((scope) => widensScope(before, after, scope));
}

/** Limits that allow nothing, for limits that cannot be read. */
export const NOTHING_ALLOWED: KeyLimits = Object.freeze({
  ...Object.fromEntries(SCOPES.map((scope) => [scope, []])),
  addresses: [],
});

/** Stored limits. Unreadable ones, such as limits of a later version, allow nothing. */
export function readLimits(stored: unknown): KeyLimits {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return NOTHING_ALLOWED;
  for (const [name, list] of Object.entries(stored)) {
    if (name !== 'addresses' && !SCOPES.some((scope) => scope === name)) return NOTHING_ALLOWED;
    if (!Array.isArray(list) || !list.every((entry) => typeof entry === 'string')) return NOTHING_ALLOWED;
  }
  return stored;
}

/** The lists of `after` that widen nothing, and the lists of `before` instead of those that do. */
export function withoutWidening(before: KeyLimits, after: KeyLimits): KeyLimits {
  const lists: KeyLimits = {};
  for (const scope of SCOPES) {
    const kept = widensScope(before, after, scope) ? before[scope] : after[scope];
    if (kept !== undefined) lists[scope] = kept;
  }
  const addresses = widensAddresses(before, after) ? before.addresses : after.addresses;
  return addresses === undefined ? lists : { ...lists, addresses };
}

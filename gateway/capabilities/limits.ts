import { type KeyLimits, readLimits } from '#common/model/key-limits.ts';
import { WeekHours } from '#common/limits/week-hours.ts';
import { LimitMatcher } from '#common/limits/limit-matcher.ts';
import { type Scope, SCOPES } from '#common/scopes.ts';
import { AddressSet } from '../gates/address.ts';

/** One limit of a key. The patterns are compiled by the first check, since most keys are not used at once. */
export class Limit {
  readonly entries: readonly string[];
  #matcher: LimitMatcher | null = null;

  constructor(entries: readonly string[]) {
    this.entries = entries;
  }

  /** `thing`: a name, or a pattern that the limit must cover whole. */
  covers(thing: string): boolean {
    this.#matcher ??= new LimitMatcher(this.entries);
    return this.#matcher.covers(thing);
  }
}

/** The hours of a key. Compiled by the first check, like the patterns. */
class KeyHours {
  readonly #spans: readonly string[];
  #week: WeekHours | null = null;

  constructor(spans: readonly string[]) {
    this.#spans = spans;
  }

  /** `weekMinute`: 0 = Monday 00:00. */
  has(weekMinute: number): boolean {
    this.#week ??= new WeekHours(this.#spans);
    return this.#week.has(weekMinute);
  }
}

/** A scope that is absent is not limited. */
export type ThingLimits = ReadonlyMap<Scope, Limit>;

export interface HeldLimits {
  /** Null = no scope is limited. */
  readonly limits: ThingLimits | null;
  /** Null = any address. */
  readonly addresses: AddressSet | null;
  /** As the host sent them; NOTHING_ALLOWED if they cannot be read. */
  readonly given: KeyLimits;
  /** Null = at any time. */
  readonly hours: KeyHours | null;
  /** Milliseconds since 1970; Infinity = the key does not end. */
  readonly untilMs: number;
}

/** Limits as the host sent them. Security: fails closed; unreadable limits allow nothing. */
export function heldLimits(sent: KeyLimits | undefined): HeldLimits {
  const limits = readLimits(sent);
  const byScope = new Map<Scope, Limit>();
  for (const scope of SCOPES) {
    const entries = limits[scope];
    if (entries !== undefined) byScope.set(scope, new Limit(entries));
  }
  const { addresses, hours, until } = limits;
  return {
    limits: byScope.size === 0 ? null : byScope,
    addresses: addresses === undefined ? null : addressSet(addresses),
    given: limits,
    hours: hours === undefined ? null : new KeyHours(hours),
    untilMs: until === undefined ? Infinity : Date.parse(until),
  };
}

function addressSet(ranges: readonly string[]): AddressSet {
  try {
    return new AddressSet(ranges);
  } catch {
    return new AddressSet([]);
  }
}

import { type KeyLimits, patternsOf, readLimits, THING_LISTS, type ThingList } from '#common/model/key-limits.ts';
import { WeekHours } from '#common/limits/week-hours.ts';
import { LimitMatcher } from '#common/limits/limit-matcher.ts';
import { LimitMissingError } from '#sdk';
import { AddressSet } from '../gates/address.ts';

/** The owner of a limit. */
type LimitOwner = 'key' | 'pipeline';

/** One limit of a key or a pipeline. The patterns are compiled by the first check, since most keys are not used at once. */
export class Limit {
  readonly list: ThingList;
  readonly entries: readonly string[];
  readonly owner: LimitOwner;
  #matcher: LimitMatcher | null = null;

  constructor(list: ThingList, entries: readonly string[], owner: LimitOwner) {
    this.list = list;
    this.entries = entries;
    this.owner = owner;
  }

  /** The limit that does not cover `thing`, a name or a pattern that must be covered whole; null: it is covered. */
  refusing(thing: string): Limit | null {
    this.#matcher ??= new LimitMatcher(patternsOf(this.list, this.entries));
    return this.#matcher.covers(thing) ? null : this;
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

/** A list that is absent limits nothing. */
export interface ThingLimits {
  get(list: ThingList): Pick<Limit, 'refusing'> | undefined;
}

/** The limits of both together; null = nothing is limited. */
export function bothLimits(one: ThingLimits | null, other: ThingLimits | null): ThingLimits | null {
  if (one === null || other === null) return one ?? other;
  return {
    get(list) {
      const [first, second] = [one.get(list), other.get(list)];
      if (first === undefined || second === undefined) return first ?? second;
      return { refusing: (thing) => first.refusing(thing) ?? second.refusing(thing) };
    },
  };
}

/** Throws LimitMissingError if a list of these limits does not cover all of `things`. */
export function expectWithin(limits: ThingLimits | null, list: ThingList, things: readonly string[]): void {
  const limit = limits?.get(list);
  if (limit === undefined) return;
  for (const thing of things) {
    const refusing = limit.refusing(thing);
    if (refusing === null) continue;
    const { entries, owner } = refusing;
    throw new LimitMissingError({ scope: list, thing, entries, owner });
  }
}

export interface HeldLimits {
  /** Null = no things are limited. */
  readonly limits: ThingLimits | null;
  /** Null = any address. */
  readonly addresses: AddressSet | null;
  /** As the host sent them; NOTHING_ALLOWED if they cannot be read. */
  readonly given: KeyLimits;
  /** Null = at any time. */
  readonly hours: KeyHours | null;
  /** Writes are simulated. */
  readonly rehearsal: boolean;
  /** Milliseconds since 1970; Infinity = the key does not end. */
  readonly untilMs: number;
}

/** Limits as the host sent them. Security: fails closed; unreadable limits allow nothing. */
export function heldLimits(sent: KeyLimits | undefined, owner: LimitOwner = 'key'): HeldLimits {
  const limits = readLimits(sent);
  const byList = new Map<ThingList, Limit>();
  for (const list of THING_LISTS) {
    const entries = limits[list];
    if (entries !== undefined) byList.set(list, new Limit(list, entries, owner));
  }
  const { addresses, hours, until, rehearsal } = limits;
  return {
    limits: byList.size === 0 ? null : byList,
    addresses: addresses === undefined ? null : addressSet(addresses),
    given: limits,
    hours: hours === undefined ? null : new KeyHours(hours),
    rehearsal: rehearsal === true,
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

import { eventOf, arrivals, group, type Seen, streamOf } from './arrivals.ts';
import { judgeDeadLetters } from './dead-letters.ts';
import type { Evidence, SentEvent } from './evidence.ts';
import { type DuplicateExcuse, excuse, HUNG_UP_SHARE_MAX, killBetween } from './excuse.ts';
import { type Violation, type ViolationKind, violation } from './violation.ts';

/** The evaluation of one run: nothing here measures or waits. */
export interface Judgement {
  /** Empty: the guarantee was kept. */
  readonly violations: readonly Violation[];
  readonly duplicates: Readonly<Partial<Record<DuplicateExcuse, number>>>;
  readonly inDoubtArrived: number;
  /** For duplicates that a kill explains: the longest time from the response to the kill. */
  readonly killGapMsMax: number;
}

export function judge(evidence: Evidence): Judgement {
  const seen = arrivals(evidence.witness);
  const sent = new Map(evidence.sent.map((event) => [eventOf(event), event]));
  const byEvent = group(seen, ({ event, target }) => event && eventOf({ ...event, target }));
  const repeats = judgeRepeats(byEvent, evidence);
  return {
    violations: [
      ...evidence.sent.flatMap((event) => judgeEvent(event, byEvent.get(eventOf(event)) ?? [])),
      ...judgeLost(evidence, byEvent),
      ...seen.flatMap((arrival) => judgeArrival(arrival, sent)),
      ...judgeIds(seen),
      ...[...group(seen, ({ event, target }) => event && streamOf({ ...event, target }))].flatMap(([stream, list]) =>
        judgeOrder(stream, list, evidence),
      ),
      ...repeats.violations,
      ...judgeHangUps(repeats.duplicates['the gateway disconnected'] ?? 0, seen.length),
      ...judgeDeadLetters(evidence, sent, byEvent),
    ],
    duplicates: repeats.duplicates,
    killGapMsMax: repeats.killGapMsMax,
    inDoubtArrived: evidence.sent.filter((event) => event.outcome.kind === 'in doubt' && byEvent.has(eventOf(event)))
      .length,
  };
}

function judgeEvent(event: SentEvent, seen: readonly Seen[]): Violation[] {
  const { outcome } = event;
  const name = eventOf(event);
  if (outcome.kind === 'mixed up') return [violation('mixed up', `${name} was answered with ${outcome.answer}`)];
  if (outcome.kind === 'refused' && seen.length > 0)
    return [violation('refused but sent', `${name}: ${outcome.code}, but it arrived`)];
  return [];
}

/** Events that the gateway still has are not lost: waiting ones are not reported as lost. */
function judgeLost({ sent, waiting }: Evidence, byEvent: ReadonlyMap<string, readonly Seen[]>): Violation[] {
  const missing = sent.filter((event) => {
    if (event.outcome.kind !== 'accepted' || event.poison) return false;
    return byEvent.get(eventOf(event))?.some(({ taken }) => taken) !== true;
  });
  const held = waiting === 0 ? [] : [violation('still waiting', `${waiting} events are still queued`)];
  const lost = missing.slice(waiting).map((event) => {
    const times = byEvent.get(eventOf(event))?.length ?? 0;
    return violation('lost', `${eventOf(event)} was accepted and arrived ${times} times, never taken`);
  });
  return [...held, ...lost];
}

function judgeArrival({ n, event, target, body, id }: Seen, sent: ReadonlyMap<string, SentEvent>): Violation[] {
  const origin = event && sent.get(eventOf({ ...event, target }));
  const known = origin?.body === body;
  return [
    ...(known ? [] : [violation('unknown event', `arrival ${n} at ${target} is not one of the events that were sent`)]),
    ...(id === null ? [violation('no id', `arrival ${n} at ${target} has no Idempotency-Key`)] : []),
  ];
}

function judgeIds(seen: readonly Seen[]): Violation[] {
  const identity = ({ target, event, body }: Seen) =>
    `${event ? eventOf({ ...event, target }) : target} (body ${body})`;
  return [
    ...several(group(seen, identity), ({ id }) => id ?? '', 'two ids'),
    ...several(
      group(seen, ({ id }) => id),
      identity,
      'shared id',
    ),
  ];
}

function several(groups: Map<string, Seen[]>, differing: (seen: Seen) => string, kind: ViolationKind): Violation[] {
  return [...groups].flatMap(([name, list]) => {
    const values = new Set(list.map(differing));
    return values.size <= 1 ? [] : [violation(kind, `${name}: ${[...values].slice(0, 3).join(' and ')}`)];
  });
}

/** `list`: the arrivals of one ordering key at one target. */
function judgeOrder(stream: string, list: readonly Seen[], { kills }: Evidence): Violation[] {
  const arrived = firsts(list);
  const settled = firsts(list.filter(({ taken, refused }) => taken || refused));
  const found = [...descents(stream, arrived, 'arrived'), ...descents(stream, settled, 'was taken')];
  const last = new Map<number, number>();
  for (const [index, seen] of list.entries()) {
    const seq = seen.event?.seq ?? 0;
    const before = last.get(seq);
    last.set(seq, index);
    if (before !== undefined) found.push(...overtakers(stream, list.slice(before, index), seen, kills));
  }
  return found;
}

/**
 * `between`: from the earlier arrival of the same event on. Only the head of a queue is sent, unless a kill came in
 * between.
 */
function overtakers(stream: string, between: readonly Seen[], again: Seen, kills: Evidence['kills']): Violation[] {
  const [before] = between;
  const seq = again.event?.seq ?? 0;
  const newer = between.find(({ event }) => (event?.seq ?? 0) > seq);
  if (before === undefined || newer === undefined || killBetween(before, again, kills) !== null) return [];
  return [
    violation(
      'overtaken',
      `${stream}/${seq} came again (arrival ${again.n}) behind arrival ${newer.n}, which is newer`,
    ),
  ];
}

function firsts(list: readonly Seen[]): Set<number> {
  return new Set(list.map(({ event }) => event?.seq ?? 0));
}

/** A set returns its values in insertion order. */
function descents(stream: string, order: ReadonlySet<number>, what: string): Violation[] {
  const found: Violation[] = [];
  let newest = 0;
  for (const seq of order) {
    if (seq < newest) found.push(violation('reordered', `${stream}/${seq} ${what} behind ${stream}/${newest}`));
    newest = Math.max(newest, seq);
  }
  return found;
}

function judgeRepeats(byEvent: ReadonlyMap<string, readonly Seen[]>, { kills }: Evidence) {
  const violations: Violation[] = [];
  const duplicates: Partial<Record<DuplicateExcuse, number>> = {};
  let killGapMsMax = 0;
  for (const [name, list] of byEvent) {
    for (const [index, again] of list.slice(1).entries()) {
      const before = list[index];
      if (before === undefined) continue;
      const why = excuse(before, again, kills);
      if (why === null) violations.push(violation('unexplained duplicate', unexplained(name, before, again)));
      else duplicates[why] = (duplicates[why] ?? 0) + 1;
      if (why === 'kill')
        killGapMsMax = Math.max(killGapMsMax, (killBetween(before, again, kills)?.atMs ?? 0) - before.answeredAtMs);
    }
  }
  return { violations, duplicates, killGapMsMax };
}

function judgeHangUps(hangUps: number, all: number): Violation[] {
  if (hangUps <= all * HUNG_UP_SHARE_MAX) return [];
  return [violation('unexplained duplicate', `the gateway left ${hangUps} answers of ${all} unread without a kill`)];
}

function unexplained(name: string, before: Seen, again: Seen): string {
  const afterMs = Math.round(again.atMs - before.atMs);
  return `${name} came again (arrival ${again.n}) ${afterMs} ms after arrival ${before.n}, which was answered "${before.act}"`;
}

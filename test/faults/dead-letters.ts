import { eventOf, group, type Seen } from './arrivals.ts';
import type { DeadLetter, Evidence, SentEvent } from './evidence.ts';
import { type Violation, violation } from './violation.ts';

/** Accepted poison, and no other event, becomes a dead letter, once. `known`, `byEvent`: sent and arrived, by name. */
export function judgeDeadLetters(
  { sent, deadLetters, waiting }: Evidence,
  known: ReadonlyMap<string, SentEvent>,
  byEvent: ReadonlyMap<string, readonly Seen[]>,
): Violation[] {
  const dead = group(deadLetters, ({ event, target }) =>
    event === null ? 'unreadable' : eventOf({ ...event, target }),
  );
  const missing = sent.filter(
    // Waiting events are reported as such.
    (event) => waiting === 0 && event.poison && event.outcome.kind === 'accepted' && !dead.has(eventOf(event)),
  );
  return [
    ...missing.map((event) =>
      violation('not dead', `${eventOf(event)} was accepted, is poison, and is no dead letter`),
    ),
    ...[...dead].flatMap(([name, letters]) => judgeDead(name, letters, known.get(name), byEvent.get(name) ?? [])),
  ];
}

function judgeDead(
  name: string,
  letters: readonly DeadLetter[],
  event: SentEvent | undefined,
  seen: readonly Seen[],
): Violation[] {
  const wrong = (text: string) => [violation('wrongly dead', `${name} ${text}`)];
  if (event === undefined || !event.poison) return wrong('is a dead letter and no poison');
  if (letters.length > 1) return wrong(`is a dead letter ${letters.length} times`);
  if (!seen.some(({ refused }) => refused)) return wrong('is a dead letter, but the target never refused it');
  return letters[0]?.idempotencyKey === seen[0]?.id ? [] : wrong('is a dead letter with another Idempotency-Key');
}

import { describe, expect, test } from 'vitest';
import type { Act } from './acts.ts';
import { type DeadLetter, type Evidence, evidenceText, type Kill, type Outcome, type SentEvent } from './evidence.ts';
import { HUNG_UP_SHARE_MAX, WRITTEN_DOWN_MS_MAX } from './excuse.ts';
import { judge } from './judge.ts';
import type { Arrival, WitnessLine } from './witness.ts';

/** Artificial logs: the evaluation must fail for each violation of the guarantee, and only for that. */
const TARGET = 'press';
const ACCEPTED: Outcome = { kind: 'accepted', port: 'queued' };
const IN_DOUBT: Outcome = { kind: 'in doubt', cause: 'ECONNRESET' };

const bodyOf = (seq: number, key = 'k') => `body of ${key}/${seq}`;

function sent(seq: number, over: Partial<SentEvent> = {}): SentEvent {
  const { key = 'k' } = over;
  const times = { sentAtMs: seq * 10, endedAtMs: seq * 10 + 5 };
  return { target: TARGET, key, seq, poison: false, body: bodyOf(seq, key), ...times, outcome: ACCEPTED, ...over };
}

interface Came extends Partial<Omit<Arrival, 'event'>> {
  seq: number;
  act?: Act;
  key?: string;
  poison?: boolean;
}

/** Arrivals ten milliseconds apart, each on a separate connection. */
function came(...list: Came[]): Arrival[] {
  return list.map(({ seq, key = 'k', poison = false, ...over }, index) => ({
    kind: 'arrival',
    n: index + 1,
    atMs: 1000 + index * 10,
    target: TARGET,
    connection: index + 1,
    id: `id of ${key}/${seq}`,
    path: '/',
    event: { key, seq, poison },
    body: bodyOf(seq, key),
    act: 'ok',
    ...over,
  }));
}

function evidence(given: {
  sent: SentEvent[];
  witness: WitnessLine[];
  kills?: Kill[];
  deadLetters?: DeadLetter[];
  waiting?: number;
}): Evidence {
  return { kills: [], deadLetters: [], waiting: 0, ...given };
}

const kindsOf = (given: Evidence) => judge(given).violations.map(({ kind }) => kind);
const kill = (atMs: number): Kill => ({ atMs, goneAtMs: atMs + 5, when: 'load' });
const letter = (seq: number, over: Partial<DeadLetter> = {}): DeadLetter => ({
  id: `e${seq}`,
  idempotencyKey: `id of k/${seq}`,
  target: TARGET,
  event: { key: 'k', seq, poison: true },
  ...over,
});
/** So many that a single one of another type is a small share. */
const crowd = (count: number) => ({
  sent: Array.from({ length: count }, (_, index) => sent(index + 1, { key: 'crowd' })),
  came: Array.from({ length: count }, (_, index) => ({ seq: index + 1, key: 'crowd' })),
});

describe('a run that keeps the guarantee', () => {
  test('has each event once, in order', () => {
    const { violations, duplicates } = judge(
      evidence({ sent: [sent(1), sent(2)], witness: came({ seq: 1 }, { seq: 2 }) }),
    );
    expect(violations).toEqual([]);
    expect(duplicates).toEqual({});
  });

  test.each([
    ['asked to try again', 'status-503'],
    ['asked to try again', 'status-401'],
    ['no answer', 'reset'],
    ['answer cut off', 'half-close-in-body'],
    ['reply unread', 'unread'],
    ['answer too late', 'ok-late'],
  ] as const)('may have a duplicate explained by "%s" (%s)', (excuse, act) => {
    const judged = judge(evidence({ sent: [sent(1)], witness: came({ seq: 1, act }, { seq: 1 }) }));
    expect(judged.violations).toEqual([]);
    expect(judged.duplicates).toEqual({ [excuse]: 1 });
  });

  test('may have a duplicate explained by a kill right after the response', () => {
    const judged = judge(
      evidence({ sent: [sent(1)], witness: came({ seq: 1 }, { seq: 1, atMs: 3000 }), kills: [kill(1020)] }),
    );
    expect(judged).toMatchObject({ violations: [], duplicates: { kill: 1 }, killGapMsMax: 20 });
  });

  test('may repeat events delivered right before a kill after newer ones', () => {
    const witness = came({ seq: 1 }, { seq: 2 }, { seq: 1, atMs: 2000 }, { seq: 2, atMs: 2010 });
    expect(kindsOf(evidence({ sent: [sent(1), sent(2)], witness, kills: [kill(1030)] }))).toEqual([]);
  });

  test('may have more faults for the older event after such a kill', () => {
    const again: Came[] = [
      { seq: 1, atMs: 2000, act: 'status-503' },
      { seq: 1, atMs: 2010 },
      { seq: 2, atMs: 2020 },
    ];
    const witness = came({ seq: 1 }, { seq: 2 }, ...again);
    expect(kindsOf(evidence({ sent: [sent(1), sent(2)], witness, kills: [kill(1030)] }))).toEqual([]);
  });

  test('may have a duplicate if the target reset the connection, or the gateway closed it, right after the response', () => {
    const many = crowd(100);
    const witness = came({ seq: 1, connection: 901 }, { seq: 1, connection: 902 }, { seq: 1 }, ...many.came);
    const ends: WitnessLine[] = [
      { kind: 'closed', connection: 901, atMs: 1100, torn: true, last: 1 },
      { kind: 'closed', connection: 902, atMs: 1400, torn: false, last: 2 },
    ];
    const judged = judge(evidence({ sent: [sent(1), ...many.sent], witness: [...witness, ...ends] }));
    expect(judged.violations).toEqual([]);
    expect(judged.duplicates).toEqual({ 'reply unread': 1, 'the gateway disconnected': 1 });
  });

  test('may deliver an event in doubt or not', () => {
    const witness = came({ seq: 1 }, { seq: 3 });
    const judged = judge(
      evidence({ sent: [sent(1, { outcome: IN_DOUBT }), sent(2, { outcome: IN_DOUBT }), sent(3)], witness }),
    );
    expect(judged).toMatchObject({ violations: [], inDoubtArrived: 1 });
  });

  test('has a dead letter for accepted poison', () => {
    const given = evidence({
      sent: [sent(1, { poison: true }), sent(2)],
      witness: came({ seq: 1, poison: true, act: 'poison' }, { seq: 2 }),
      deadLetters: [letter(1)],
    });
    expect(kindsOf(given)).toEqual([]);
  });

  test('has independent ordering keys and targets', () => {
    const other = { target: 'oven' };
    const witness = came({ seq: 2, key: 'a' }, { seq: 1, key: 'b' }, { seq: 1, key: 'c', ...other });
    const all = [sent(2, { key: 'a' }), sent(1, { key: 'b' }), sent(1, { key: 'c', ...other })];
    expect(kindsOf(evidence({ sent: all, witness }))).toEqual([]);
  });
});

describe('reports as lost', () => {
  test('an accepted event that never arrived', () => {
    expect(kindsOf(evidence({ sent: [sent(1), sent(2)], witness: came({ seq: 1 }) }))).toEqual(['lost']);
  });

  test.each(['reset', 'reset-after-head', 'half-close-in-body', 'status-503', 'status-401', 'garbage'] as const)(
    'an event that arrived and was never accepted (%s)',
    (act) => {
      expect(kindsOf(evidence({ sent: [sent(1)], witness: came({ seq: 1, act }) }))).toEqual(['lost']);
    },
  );

  test('an event whose late response had no receiver and that did not arrive again', () => {
    const late: WitnessLine = { kind: 'late-answer', n: 1, atMs: 1700, gone: true };
    const witness = came({ seq: 1, act: 'slow' });
    expect(kindsOf(evidence({ sent: [sent(1)], witness: [...witness, late] }))).toEqual(['lost']);
    expect(kindsOf(evidence({ sent: [sent(1)], witness: [...witness, { ...late, gone: false }] }))).toEqual([]);
  });

  test('events that are still queued at the end', () => {
    const given = evidence({ sent: [sent(1)], witness: came({ seq: 1 }), waiting: 3 });
    expect(kindsOf(given)).toEqual(['still waiting']);
    const [one, two, three] = [sent(1), sent(2), sent(3)];
    const fewer = evidence({ sent: [one, two, three], witness: came({ seq: 1 }), waiting: 1 });
    expect(kindsOf(fewer)).toEqual(['still waiting', 'lost']);
  });
});

describe('reports as reordered', () => {
  test('a newer event that arrived first', () => {
    const witness = came({ seq: 2 }, { seq: 1 });
    // Both by arrival and by what was taken.
    expect(kindsOf(evidence({ sent: [sent(1), sent(2)], witness }))).toEqual(['reordered', 'reordered']);
  });

  test('a newer event that arrived before one in doubt', () => {
    const all = [sent(1, { outcome: IN_DOUBT }), sent(2)];
    expect(kindsOf(evidence({ sent: all, witness: came({ seq: 2 }, { seq: 1 }) }))).toContain('reordered');
  });

  test('a newer event that was accepted after the older one was refused', () => {
    const witness = came({ seq: 1, act: 'status-503' }, { seq: 2 }, { seq: 1 });
    expect(kindsOf(evidence({ sent: [sent(1), sent(2)], witness }))).toEqual(['reordered', 'overtaken']);
  });

  test('a duplicate after newer events without a kill, even if its reply was unread', () => {
    const witness = came({ seq: 1, act: 'unread' }, { seq: 2 }, { seq: 1 });
    expect(kindsOf(evidence({ sent: [sent(1), sent(2)], witness }))).toEqual(['overtaken']);
  });
});

describe('reports a violation of Idempotency-Keys', () => {
  test('if one event arrived with two', () => {
    const witness = came({ seq: 1, act: 'status-503' }, { seq: 1, id: 'another' });
    expect(kindsOf(evidence({ sent: [sent(1)], witness }))).toEqual(['two ids']);
  });

  test('if two events arrived with the same one', () => {
    const witness = came({ seq: 1, id: 'same' }, { seq: 2, id: 'same' });
    expect(kindsOf(evidence({ sent: [sent(1), sent(2)], witness }))).toEqual(['shared id']);
  });

  test('if the body changed with the same one', () => {
    const witness = came({ seq: 1, act: 'status-503', body: 'torn' }, { seq: 1 });
    expect(kindsOf(evidence({ sent: [sent(1)], witness }))).toEqual(['unknown event', 'shared id']);
  });

  test('if an event arrived without one', () => {
    expect(kindsOf(evidence({ sent: [sent(1)], witness: came({ seq: 1, id: null }) }))).toEqual(['no id']);
  });
});

describe('reports as an unexplained duplicate', () => {
  const twice = came({ seq: 1 }, { seq: 1, atMs: 9000 });

  test('one after a complete response', () => {
    expect(kindsOf(evidence({ sent: [sent(1)], witness: twice }))).toEqual(['unexplained duplicate']);
  });

  test.each([
    ['before the answer', 990],
    ['after the duplicate', 9100],
    ['too long after the answer: it had to be written down', 1000 + WRITTEN_DOWN_MS_MAX + 1],
  ])('one with a kill %s', (_when, atMs) => {
    expect(kindsOf(evidence({ sent: [sent(1)], witness: twice, kills: [kill(atMs)] }))).toEqual([
      'unexplained duplicate',
    ]);
  });

  test('one whose connection ended long after the response', () => {
    const end = { kind: 'closed', connection: 1, atMs: 4500, torn: true, last: 1 } as const;
    expect(kindsOf(evidence({ sent: [sent(1)], witness: [...twice, end] }))).toEqual(['unexplained duplicate']);
    const left = { ...end, torn: false };
    expect(kindsOf(evidence({ sent: [sent(1)], witness: [...twice, left] }))).toEqual(['unexplained duplicate']);
  });

  test('a third arrival that only the first would explain', () => {
    const witness = came({ seq: 1, act: 'status-503' }, { seq: 1 }, { seq: 1 });
    expect(kindsOf(evidence({ sent: [sent(1)], witness }))).toEqual(['unexplained duplicate']);
  });

  test('one from a gateway that leaves many responses unread', () => {
    const many = crowd(20);
    const witness = came({ seq: 1 }, { seq: 1 }, ...many.came);
    const left: WitnessLine = { kind: 'closed', connection: 1, atMs: 1005, torn: false, last: 1 };
    expect(1 / witness.length).toBeGreaterThan(HUNG_UP_SHARE_MAX);
    expect(kindsOf(evidence({ sent: [sent(1), ...many.sent], witness: [...witness, left] }))).toEqual([
      'unexplained duplicate',
    ]);
  });

  test('poison that arrived again after it was permanently refused', () => {
    const given = evidence({
      sent: [sent(1, { poison: true })],
      witness: came({ seq: 1, poison: true, act: 'poison' }, { seq: 1, poison: true, act: 'poison' }),
      deadLetters: [letter(1)],
    });
    expect(kindsOf(given)).toEqual(['unexplained duplicate']);
  });
});

describe('reports wrong dead letters', () => {
  const poisoned = { sent: [sent(1, { poison: true })], witness: came({ seq: 1, poison: true, act: 'poison' }) };

  test('if accepted poison has no dead letter', () => {
    expect(kindsOf(evidence(poisoned))).toEqual(['not dead']);
  });

  test('if a dead letter is not poison, and reports its event as lost too', () => {
    const given = { sent: [sent(1)], witness: came({ seq: 1, act: 'status-503' }), deadLetters: [letter(1)] };
    expect(kindsOf(evidence(given))).toEqual(['lost', 'wrongly dead']);
  });

  test.each([
    ['there twice', [letter(1), letter(1, { id: 'other' })]],
    ['under another Idempotency-Key', [letter(1, { idempotencyKey: 'other' })]],
    ['of nothing that was sent', [letter(1), letter(7)]],
    ['unreadable', [letter(1), letter(2, { event: null })]],
  ])('if a dead letter is %s', (_what, deadLetters) => {
    expect(kindsOf(evidence({ ...poisoned, deadLetters }))).toEqual(['wrongly dead']);
  });

  test('if the target never refused the event of a dead letter', () => {
    const witness = came({ seq: 1, poison: true, act: 'status-503' });
    expect(kindsOf(evidence({ ...poisoned, witness, deadLetters: [letter(1)] }))).toEqual(['wrongly dead']);
  });
});

describe('reports a wrong response', () => {
  test('if an event arrived although it was refused as not stored', () => {
    const refused = sent(1, { outcome: { kind: 'refused', code: 'outbox_full' } });
    expect(kindsOf(evidence({ sent: [refused], witness: came({ seq: 1 }) }))).toEqual(['refused but sent']);
    expect(kindsOf(evidence({ sent: [refused], witness: [] }))).toEqual([]);
  });

  test('if a caller received the response for another event', () => {
    const mixed = sent(1, { outcome: { kind: 'mixed up', answer: 'k/2' } });
    expect(kindsOf(evidence({ sent: [mixed], witness: came({ seq: 1 }) }))).toEqual(['mixed up']);
  });

  test('if an event arrived that nobody sent', () => {
    expect(kindsOf(evidence({ sent: [], witness: came({ seq: 1 }) }))).toEqual(['unknown event']);
    const nothing = came({ seq: 1 }).map((arrival) => ({ ...arrival, event: null }));
    expect(kindsOf(evidence({ sent: [], witness: nothing }))).toEqual(['unknown event']);
  });
});

test('evidence is written in pieces that form one JSON text', () => {
  const many = evidence({
    sent: Array.from({ length: 2001 }, (_, seq) => sent(seq)),
    witness: came({ seq: 1 }),
    kills: [kill(10)],
  });
  const pieces = [...evidenceText(many)];
  expect(pieces.length).toBeGreaterThan(many.sent.length / 1000);
  expect(JSON.parse(pieces.join(''))).toEqual(many);
});

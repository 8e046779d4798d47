import { describe, expect, test } from 'vitest';
import { AddressSet } from '../gates/address.ts';
import { type LimitedConnection, ConnectionLimiter } from './connection-limiter.ts';
import { KnownSources } from './known-sources.ts';
import {
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  KNOWN_SOURCE_MS,
  KNOWN_SOURCES_MAX,
  SILENT_ENDS,
} from './limits.ts';
import { PacedRefusals } from './paced-refusals.ts';

const PROXIES = new AddressSet(['10.0.0.99/32']);
const BUSY = '10.0.0.1';

interface Seat extends LimitedConnection {
  readonly left: boolean;
}

/** It has sent a request without a key, unless `more` differs. */
function seat(
  peer: string,
  waits = true,
  idleSinceMs: number | null = null,
  more: Partial<Pick<LimitedConnection, 'halfOpen' | 'keyed'>> = {},
): Seat {
  let left = false;
  return {
    peer,
    halfOpen: false,
    keyed: false,
    ...more,
    answered: false,
    waits,
    idleSinceMs,
    get left() {
      return left;
    },
    destroy() {
      left = true;
    },
    makeRoom() {
      left = true;
    },
  };
}

/** All places are taken: this many of `most` by one address, the rest by others with one each. */
function full(most: readonly Seat[]): ConnectionLimiter {
  const guests = new ConnectionLimiter();
  for (const one of most) guests.enter(one, PROXIES);
  for (let n = most.length; n < CONNECTIONS_MAX; n++) guests.enter(seat(`10.1.${n >> 8}.${n & 255}`), PROXIES);
  return guests;
}

test('when all places are in use, the address with most connections loses the one that has waited longest', () => {
  const most = [seat(BUSY, false), seat(BUSY), seat(BUSY)];
  expect(full(most).enter(seat('10.0.0.2'), PROXIES)).toBeNull();
  expect(most.map(({ left }) => left)).toEqual([false, true, false]);
});

test('a connection that is being served is never closed for another', () => {
  const most = [seat(BUSY, false), seat(BUSY, false)];
  expect(full(most).enter(seat('10.0.0.2'), PROXIES)).toBe('connections');
  expect(most.some(({ left }) => left)).toBe(false);
});

test('a caller with as many connections as the busiest address gets none of its places', () => {
  const most = [seat(BUSY), seat(BUSY)];
  const guests = full(most);
  expect(guests.enter(seat(BUSY), PROXIES)).toBe('connections');
  expect(most.some(({ left }) => left)).toBe(false);
});

test('a trusted proxy, whose connections belong to many callers, loses none', () => {
  const most = [seat('10.0.0.99'), seat('10.0.0.99')];
  expect(full(most).enter(seat('10.0.0.2'), PROXIES)).toBe('connections');
  expect(most.some(({ left }) => left)).toBe(false);
});

const idle = (peer: string, sinceMs: number) => seat(peer, true, sinceMs);

test('a new connection over the limit of its address replaces the one that was idle longest', () => {
  const guests = new ConnectionLimiter();
  const all = [idle(BUSY, 3), idle(BUSY, 1), idle(BUSY, 2)];
  while (all.length < CONNECTIONS_PER_ADDRESS_MAX) all.push(seat(BUSY));
  for (const one of all) expect(guests.enter(one, PROXIES)).toBeNull();
  const left = () => all.flatMap((one, at) => (one.left ? [at] : []));
  const ended: number[][] = [];
  for (let n = 0; n < 3; n++) {
    expect(guests.enter(seat(BUSY), PROXIES)).toBeNull();
    ended.push(left());
    for (const one of all) if (one.left) guests.leave(one);
  }
  expect(ended).toEqual([[1], [1, 2], [0, 1, 2]]);
  // Those that wait for their first request are still within the time for it.
  expect(guests.enter(seat(BUSY), PROXIES)).toBe('connections_per_address');
});

test('when all places are in use, an idle connection is closed before a waiting one', () => {
  const most = [seat(BUSY), idle(BUSY, 2), idle(BUSY, 1)];
  expect(full(most).enter(seat('10.0.0.2'), PROXIES)).toBeNull();
  expect(most.map(({ left }) => left)).toEqual([false, false, true]);
});

test('when all places are in use and nobody has more than the new caller, any idle connection is closed', () => {
  const only = idle(BUSY, 1);
  expect(full([only]).enter(seat('10.0.0.2'), PROXIES)).toBeNull();
  expect(only.left).toBe(true);
});

const silent = (peer: string) => seat(peer, true, null, { halfOpen: true });
const machine = (peer: string, sinceMs: number) => seat(peer, true, sinceMs, { keyed: true });

/** All places are taken by callers with one each, except these. */
function fullOf(
  make: (peer: string) => Seat,
  beside: readonly Seat[] = [],
  guests = new ConnectionLimiter(),
): { guests: ConnectionLimiter; others: Seat[] } {
  const others = Array.from({ length: CONNECTIONS_MAX - beside.length }, (_, n) => make(`10.1.${n >> 8}.${n & 255}`));
  for (const one of [...beside, ...others]) guests.enter(one, PROXIES);
  return { guests, others };
}

test('a connection without a request is closed for any other: first the oldest one of the network with most of them', () => {
  const alone = silent('10.9.9.9');
  const { guests, others } = fullOf(silent, [alone]);
  for (let n = 0; n < 3; n++) expect(guests.enter(seat(`10.2.0.${n}`), PROXIES)).toBeNull();
  expect(others.flatMap(({ left }, at) => (left ? [at] : []))).toEqual([0, 1, 2]);
  expect(alone.left).toBe(false);
});

describe('connections without a request are closed at a limited rate', () => {
  function paced() {
    let nowMs = 0;
    let tick = (): void => undefined;
    const clock = {
      nowMs: () => nowMs,
      every: (_ms: number, run: () => void) => ((tick = run), setTimeout(() => undefined, 0)),
    };
    const { perSecondMax, waitingMax } = SILENT_ENDS;
    const guests = new ConnectionLimiter(new PacedRefusals(clock, { perSecondMax, waitingMax, atOnceMax: 1 }));
    const later = (ms: number) => {
      nowMs += ms;
      tick();
    };
    return { ...fullOf(silent, [], guests), later };
  }
  const left = (all: readonly Seat[]) => all.flatMap((one, at) => (one.left ? [at] : []));
  const newcomers = (count: number) => Array.from({ length: count }, (_, n) => seat(`10.2.${n >> 8}.${n & 255}`));

  test('each new connection has a place at once, and the replaced ones are closed in order', () => {
    const { guests, others, later } = paced();
    for (const one of newcomers(3)) expect(guests.enter(one, PROXIES)).toBeNull();
    expect(left(others)).toEqual([0]);
    later(1000 / SILENT_ENDS.perSecondMax);
    expect(left(others)).toEqual([0, 1]);
    later(1000 / SILENT_ENDS.perSecondMax);
    expect(left(others)).toEqual([0, 1, 2]);
  });

  test('a connection that sends a request before its turn is kept, and another one is closed', () => {
    const { guests, others, later } = paced();
    for (const one of newcomers(2)) guests.enter(one, PROXIES);
    Object.assign(others[1] as Seat, { halfOpen: false });
    later(1000 / SILENT_ENDS.perSecondMax);
    later(1000 / SILENT_ENDS.perSecondMax);
    expect(left(others)).toEqual([0, 2]);
  });

  test('a connection that ends by itself is not closed again, and its place is not given away twice', () => {
    const { guests, others, later } = paced();
    for (const one of newcomers(2)) guests.enter(one, PROXIES);
    guests.leave(others[1] as Seat);
    later(1000);
    expect(left(others)).toEqual([0]);
    expect(guests.count).toBe(CONNECTIONS_MAX + 1);
  });

  test('when many wait to be closed, further ones are closed at once', () => {
    const { guests, others } = paced();
    for (const one of newcomers(SILENT_ENDS.waitingMax + 4)) guests.enter(one, PROXIES);
    expect(left(others)).toHaveLength(4);
  });
});

test('an idle caller with a valid key keeps its place before strangers, and loses it to a caller that used one recently', () => {
  const { guests, others } = fullOf((peer) => machine(peer, 1));
  expect(guests.enter(seat('10.2.0.1'), PROXIES)).toBe('connections');
  guests.leave(machine('10.2.0.2', 1));
  expect(others.some(({ left }) => left)).toBe(false);
  guests.enter(seat('10.2.0.3'), PROXIES);
  expect(guests.enter(silent('10.2.0.2'), PROXIES)).toBeNull();
  expect(others.filter(({ left }) => left)).toHaveLength(1);
});

test('an idle connection without a key is closed before one with a key that has been idle longer', () => {
  const stranger = idle('10.9.9.9', 2);
  const { guests, others } = fullOf((peer) => machine(peer, 1), [stranger]);
  expect(guests.enter(silent('10.2.0.1'), PROXIES)).toBeNull();
  expect([stranger.left, others.some(({ left }) => left)]).toEqual([true, false]);
});

test('addresses of one IPv6 /64 share the places of one address', () => {
  const guests = new ConnectionLimiter();
  for (let n = 0; n < CONNECTIONS_PER_ADDRESS_MAX; n++)
    expect(guests.enter(seat(`fd00:1:2:3::${n.toString(16)}`), PROXIES)).toBeNull();
  expect(guests.enter(seat('fd00:1:2:3:ffff::1'), PROXIES)).toBe('connections_per_address');
  expect(guests.enter(seat('fd00:1:2:4::1'), PROXIES)).toBeNull();
});

test('an address counts as known for an hour after its last key, and the oldest is removed beyond 16,384', () => {
  let nowMs = 0;
  const known = new KnownSources(() => nowMs);
  known.note('a');
  nowMs = KNOWN_SOURCE_MS - 1;
  expect(known.has('a')).toBe(true);
  nowMs += 1;
  expect(known.has('a')).toBe(false);
  known.note('a');
  for (let n = 1; n <= KNOWN_SOURCES_MAX; n++) known.note(`b${n}`);
  expect([known.has('a'), known.has('b1')]).toEqual([false, true]);
});

test('new connections do not check silent connections of known addresses repeatedly', () => {
  const guests = new ConnectionLimiter();
  let looks = 0;
  for (let n = 0; n < CONNECTIONS_MAX; n++) {
    const peer = `10.2.${n >> 8}.${n & 255}`;
    const keyed = seat(peer, false, null, { keyed: true });
    guests.enter(keyed, PROXIES);
    guests.leave(keyed);
    const silent = seat(peer, false);
    Object.defineProperties(silent, { halfOpen: { get: () => (looks += 1) > 0 }, waits: { value: true } });
    guests.enter(silent, PROXIES);
  }
  for (let n = 0; n < 20; n++) guests.enter(seat('10.3.0.1'), PROXIES);
  expect(looks).toBeLessThan(2 * CONNECTIONS_MAX);
});

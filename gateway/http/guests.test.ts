import { expect, test } from 'vitest';
import { AddressSet } from '../gates/address.ts';
import { type Guest, Guests } from './guests.ts';
import { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_MAX } from './limits.ts';

const PROXIES = new AddressSet(['10.0.0.99/32']);
const BUSY = '10.0.0.1';

interface Seat extends Guest {
  readonly left: boolean;
}

function seat(peer: string, waits = true, idleSinceMs: number | null = null): Seat {
  let left = false;
  return {
    peer,
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

/** All places taken: so many of `most` by one address, the rest by others with one each. */
function full(most: readonly Seat[]): Guests {
  const guests = new Guests();
  for (const one of most) guests.enter(one, PROXIES);
  for (let n = most.length; n < CONNECTIONS_MAX; n++) guests.enter(seat(`10.1.${n >> 8}.${n & 255}`), PROXIES);
  return guests;
}

test('when all places are taken, the address with the most gives up the one that has waited for longest', () => {
  const most = [seat(BUSY, false), seat(BUSY), seat(BUSY)];
  expect(full(most).enter(seat('10.0.0.2'), PROXIES)).toBeNull();
  expect(most.map(({ left }) => left)).toEqual([false, true, false]);
});

test('what is being served is never ended for another', () => {
  const most = [seat(BUSY, false), seat(BUSY, false)];
  expect(full(most).enter(seat('10.0.0.2'), PROXIES)).toBe('connections');
  expect(most.some(({ left }) => left)).toBe(false);
});

test('who has as many as the busiest gets none of its places', () => {
  const most = [seat(BUSY), seat(BUSY)];
  const guests = full(most);
  expect(guests.enter(seat(BUSY), PROXIES)).toBe('connections');
  expect(most.some(({ left }) => left)).toBe(false);
});

test('a trusted proxy, whose connections are those of many callers, gives none up', () => {
  const most = [seat('10.0.0.99'), seat('10.0.0.99')];
  expect(full(most).enter(seat('10.0.0.2'), PROXIES)).toBe('connections');
  expect(most.some(({ left }) => left)).toBe(false);
});

const idle = (peer: string, sinceMs: number) => seat(peer, true, sinceMs);

test('beyond the cap of its address a newcomer gets the place of the one that was idle for longest', () => {
  const guests = new Guests();
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
  // Those that only wait for their first request are within their time for it.
  expect(guests.enter(seat(BUSY), PROXIES)).toBe('connections_per_address');
});

test('when all places are taken, an idle one goes before one that waits', () => {
  const most = [seat(BUSY), idle(BUSY, 2), idle(BUSY, 1)];
  expect(full(most).enter(seat('10.0.0.2'), PROXIES)).toBeNull();
  expect(most.map(({ left }) => left)).toEqual([false, false, true]);
});

test('when all places are taken and nobody has more than the newcomer, any idle one goes', () => {
  const only = idle(BUSY, 1);
  expect(full([only]).enter(seat('10.0.0.2'), PROXIES)).toBeNull();
  expect(only.left).toBe(true);
});

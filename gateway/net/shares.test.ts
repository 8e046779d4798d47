import { expect, test } from 'vitest';
import { type Bound, type Holder, Shares } from './shares.ts';

const holder = (id: string, project = id): Holder => ({ id, name: id, project });

/** Takes one after the other until no more is granted. */
function takeAll(shares: Shares, who: Holder): number {
  let taken = 0;
  while (shares.take(who, 1)) taken += 1;
  return taken;
}

test('one holder gets a quarter and one project half, however much is free', () => {
  const shares = new Shares(100);
  expect([1, 2, 3].map((n) => takeAll(shares, holder(`key-${n}`, 'line-1')))).toEqual([25, 25, 0]);
  expect(takeAll(shares, holder('key-4', 'line-2'))).toBe(25);
  expect(shares.used).toBe(75);
});

test('all together get at most the limit, and released amounts can be used again', () => {
  const shares = new Shares(8);
  const all = ['a', 'b', 'c', 'd'].map((id) => holder(id));
  expect(all.map((one) => takeAll(shares, one))).toEqual([2, 2, 2, 2]);
  expect(shares.take(holder('e'), 1)).toBe(false);
  shares.give(all[0] as Holder, 1);
  expect(shares.take(holder('e'), 1)).toBe(true);
});

test('a refusal reports who was refused, and by which limit', () => {
  const told: [string, Bound][] = [];
  const shares = new Shares(8, ({ id }, bound) => told.push([id, bound]));
  shares.take(holder('a'), 5);
  for (const id of ['b', 'c', 'd']) shares.take(holder(id, 'line-1'), 2);
  for (const id of ['e', 'f', 'g']) shares.take(holder(id, 'line-2'), 2);
  shares.take(holder('h'), 1);
  expect(told).toEqual([
    ['a', 'project'],
    ['d', 'project'],
    ['g', 'project'],
    ['h', 'cap'],
  ]);
  expect(shares.largest?.id).toBe('b');
});

test('a holder of nothing leaves nothing behind', () => {
  const shares = new Shares(100);
  const a = holder('a');
  shares.take(a, 20);
  shares.give(a, 20);
  expect([shares.used, shares.held(a), takeAll(shares, a)]).toEqual([0, 0, 25]);
});

test('one item larger than a quarter fits, but nothing else with it', () => {
  const shares = new Shares(100);
  const a = holder('a');
  expect([shares.take(a, 40), shares.take(a, 1), shares.take(holder('b'), 51)]).toEqual([true, false, false]);
});

test('recently refused holders are known as long as they hold something', () => {
  const shares = new Shares(8);
  const [a, b] = [holder('a'), holder('b')];
  const startMs = performance.now();
  for (let n = 0; n < 3; n++) shares.take(a, 1);
  shares.take(b, 1);
  expect([a, b].map((one) => shares.refusedSince(one, startMs))).toEqual([true, false]);
  expect(shares.refusedSince(a, performance.now() + 1)).toBe(false);
  shares.give(a, 2);
  expect(shares.refusedSince(a, startMs)).toBe(false);
});

test('checking for room marks nobody and leaves nothing behind', () => {
  const shares = new Shares(8);
  const a = holder('a');
  expect([shares.hasRoom(a, 0), shares.take(a, 0), shares.hasRoom(a, 2)]).toEqual([true, true, true]);
  shares.take(a, 2);
  const startMs = performance.now();
  expect([shares.hasRoom(a, 1), shares.refusedSince(a, startMs), shares.held(a)]).toEqual([false, false, 2]);
});

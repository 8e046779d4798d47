import { expect, test } from 'vitest';
import { PATIENCE_MS, QUEUE_MS_MAX, QUEUE_REQUESTS_MIN, RELIEF_MS, WINDOW_MS } from './limits.ts';
import { Pressure } from './pressure.ts';

/** Callers that each call again as soon as they have a response, and a thread whose speed the test sets. */
function gateway({ eachMs = 0.1, activeShare: initialShare = 1, rows = true } = {}) {
  let activeShare = initialShare;
  let nowMs = 1_000;
  let activeMs = 0;
  let endTurn: (() => void) | null = null;
  let endWindow: (() => void) | null = null;
  let windowEndsMs = Infinity;
  const pressure = new Pressure({
    nowMs: () => nowMs,
    activeMs: () => activeMs,
    atTurnEnd: (run) => (endTurn = run),
    every(ms, run) {
      endWindow = run;
      windowEndsMs = nowMs + ms;
      return setTimeout(() => undefined, 0);
    },
  });
  const pass = (ms: number): void => {
    nowMs += ms;
    activeMs += ms * activeShare;
    if (nowMs < windowEndsMs) return;
    endWindow?.();
    windowEndsMs = nowMs + WINDOW_MS;
  };
  /** A turn of the event loop in which this many call at once; returns how many are accepted and then served. */
  const turn = (callers: number): number => {
    let taken = 0;
    for (let index = 0; index < callers; index++) {
      if (!pressure.takes(nowMs)) continue;
      taken += 1;
      if (!rows) continue;
      pressure.countUse();
      pressure.recording += 1;
    }
    endTurn?.();
    endTurn = null;
    pass(taken * eachMs);
    if (rows) pressure.recording -= taken;
    return taken;
  };
  /** Turns for this time; returns how many callers were refused. */
  const turns = (callers: number, ms: number): number => {
    let refused = 0;
    for (const endMs = nowMs + ms; nowMs < endMs;) {
      refused += callers - turn(callers);
      // A turn in which no call is accepted takes time too.
      pass(0.01);
    }
    return refused;
  };
  const idle = (ms: number): void => {
    activeShare = 0;
    for (let left = ms; left > 0; left -= 10) pass(10);
    activeShare = initialShare;
  };
  const setActiveShare = (share: number): void => void (activeShare = share);
  return { pressure, pass, idle, turn, turns, setActiveShare };
}

const EACH_MS = 0.1;
const MANY = 1_000;
/** Until it counts as an overload. */
const SETTLE_MS = PATIENCE_MS + 5 * WINDOW_MS;

test('a burst is served completely', () => {
  expect(gateway().turn(5_000)).toBe(5_000);
});

test('a flood is served completely until it has lasted, then up to a short queue', () => {
  const { turn, turns } = gateway();
  expect(turns(MANY, PATIENCE_MS)).toBe(0);
  turns(MANY, 5 * WINDOW_MS);
  const taken = turn(MANY);
  expect(taken).toBeLessThanOrEqual(QUEUE_MS_MAX / EACH_MS);
  expect(taken).toBeGreaterThan((QUEUE_MS_MAX / EACH_MS) * 0.8);
});

test('callers of routes without a key, who wait for no row, can be a flood too', () => {
  const { turn, turns } = gateway({ rows: false });
  turns(MANY, SETTLE_MS);
  expect(turn(MANY)).toBeLessThanOrEqual(QUEUE_MS_MAX / EACH_MS);
});

test('callers that wait for the journal count, and running calls do not', () => {
  const { pressure, turns, turn } = gateway();
  turns(MANY, SETTLE_MS);
  pressure.recording = MANY;
  expect(turn(1)).toBe(0);
  pressure.recording = 0;
  expect(turn(1)).toBe(1);
});

test('patience starts over after a window in which the queue was short', () => {
  const { turns } = gateway();
  for (let round = 0; round < 3; round++) {
    expect(turns(MANY, PATIENCE_MS - 3 * WINDOW_MS)).toBe(0);
    turns(1, 3 * WINDOW_MS);
  }
});

test('a thread that mostly waits, as for a slow disk, is not overloaded', () => {
  expect(gateway({ activeShare: 0.5 }).turns(MANY, 3 * PATIENCE_MS)).toBe(0);
});

test('a few callers are never refused, however slow the machine, even right after a flood', () => {
  expect(gateway({ eachMs: 10 }).turns(QUEUE_REQUESTS_MIN, 3 * PATIENCE_MS)).toBe(0);
  const { turn, turns } = gateway({ eachMs: 10 });
  expect(turns(MANY, 20 * SETTLE_MS)).toBeGreaterThan(0);
  for (let index = 0; index < 100; index++) expect(turn(QUEUE_REQUESTS_MIN)).toBe(QUEUE_REQUESTS_MIN);
});

test('overload does not end while calls are refused', () => {
  const { turn, turns } = gateway();
  turns(MANY, SETTLE_MS);
  for (let ms = 0; ms < 2 * RELIEF_MS; ms += WINDOW_MS) {
    turns(1, WINDOW_MS - 1);
    expect(turn(MANY)).toBeLessThan(MANY);
  }
});

test('overload ends soon after the load', () => {
  const { turns, turn, pass } = gateway();
  turns(MANY, SETTLE_MS);
  expect(turn(MANY)).toBeLessThan(MANY);
  turns(1, 2 * WINDOW_MS);
  pass(RELIEF_MS);
  expect(turn(MANY)).toBe(MANY);
});

test('rows that wait for a slow disk do not count as overload, neither before nor after a flood', () => {
  const { pressure, turn, turns, pass, setActiveShare } = gateway();
  turns(MANY, SETTLE_MS);
  setActiveShare(0.3);
  pressure.recording = 2 * QUEUE_REQUESTS_MIN;
  let refused = 0;
  const serve = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 1) {
      refused += 1 - turn(1);
      pass(0.9);
    }
  };
  serve(RELIEF_MS + 3 * WINDOW_MS);
  expect(refused).toBeGreaterThan(0);
  refused = 0;
  serve(5 * RELIEF_MS);
  expect(refused).toBe(0);
});

test('callers that all call at once and then pause are served completely after a flood, as before it', () => {
  const { turn, turns, idle } = gateway();
  turns(MANY, SETTLE_MS);
  const taken: number[] = [];
  for (let second = 0; second < 5; second++) {
    idle(RELIEF_MS * 0.9);
    taken.push(turn(2 * QUEUE_REQUESTS_MIN));
  }
  expect(taken.slice(2)).toEqual([2, 2, 2].map((times) => times * QUEUE_REQUESTS_MIN));
});

test('cheap refusals do not lengthen the queue of served requests', () => {
  const { pressure, turn, turns, pass } = gateway({ eachMs: 0.02, rows: false });
  const cheapAndOneServed = (): void => {
    turn(9);
    if (pressure.takes(0)) pressure.countUse();
    pass(0.3);
  };
  turns(MANY, SETTLE_MS);
  for (let ms = 0; ms < 3 * WINDOW_MS; ms += 0.48) cheapAndOneServed();
  // At 0.3 ms each they take three times the capacity of the queue.
  pressure.recording = (3 * QUEUE_MS_MAX) / 0.3;
  expect(turn(1)).toBe(0);
});

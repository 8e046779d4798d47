import { expect, test } from 'vitest';
import { PATIENCE_MS, RELIEF_MS, TURN_MS_MAX, TURN_REQUESTS_MIN } from './limits.ts';
import { Pressure } from './pressure.ts';

/** An event loop whose turns a test makes as long as it likes. */
function loop() {
  let nowMs = 1_000;
  let end: (() => void) | null = null;
  const pressure = new Pressure(
    (run) => (end = run),
    () => nowMs,
  );
  return {
    pass: (ms: number) => void (nowMs += ms),
    /** A turn that reads so many requests, each of which takes `eachMs`; gives how many of them are served. */
    turn(requests: number, eachMs: number): number {
      let served = 0;
      for (let index = 0; index < requests; index++) {
        if (pressure.takes(nowMs)) served += 1;
        nowMs += eachMs;
      }
      end?.();
      end = null;
      return served;
    },
  };
}

const EACH_MS = 0.1;
const MANY = 1_000;
const LONG_TURNS = Math.ceil(PATIENCE_MS / (MANY * EACH_MS)) + 1;

test('a burst is served whole, however long its turn', () => {
  const { turn } = loop();
  expect(turn(5_000, EACH_MS)).toBe(5_000);
});

test('when turns stay long, one takes what comes in its first milliseconds', () => {
  const { turn } = loop();
  for (let index = 0; index < LONG_TURNS; index++) expect(turn(MANY, EACH_MS)).toBe(MANY);
  expect(turn(MANY, EACH_MS)).toBeLessThanOrEqual(TURN_MS_MAX / EACH_MS + 1);
  expect(turn(MANY, EACH_MS)).toBeGreaterThan(TURN_REQUESTS_MIN);
});

test('a short turn in between, and patience begins anew', () => {
  const { turn } = loop();
  for (let round = 0; round < 3; round++) {
    for (let index = 2; index < LONG_TURNS; index++) expect(turn(MANY, EACH_MS)).toBe(MANY);
    turn(1, EACH_MS);
  }
});

test('a few callers are never refused, however slow the machine, right after a flood either', () => {
  const { turn } = loop();
  for (let index = 0; index < LONG_TURNS; index++) turn(MANY, EACH_MS);
  expect(turn(MANY, EACH_MS)).toBeLessThan(MANY);
  for (let index = 0; index < 100; index++) expect(turn(TURN_REQUESTS_MIN, 10)).toBe(TURN_REQUESTS_MIN);
});

test('it is not over while it refuses, short turns in between or not', () => {
  const { turn } = loop();
  for (let index = 0; index < LONG_TURNS; index++) turn(MANY, EACH_MS);
  for (let ms = 0; ms < 2 * RELIEF_MS; ms += MANY * EACH_MS) {
    turn(1, EACH_MS);
    expect(turn(MANY, EACH_MS)).toBeLessThan(MANY);
  }
});

test('it is over soon after the load', () => {
  const { turn, pass } = loop();
  for (let index = 0; index < LONG_TURNS; index++) turn(MANY, EACH_MS);
  expect(turn(MANY, EACH_MS)).toBeLessThan(MANY);
  turn(1, EACH_MS);
  pass(RELIEF_MS);
  expect(turn(MANY, EACH_MS)).toBe(MANY);
});

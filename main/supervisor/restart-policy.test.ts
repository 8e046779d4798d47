import { expect, test } from 'vitest';
import { createRestartPolicy } from './restart-policy.ts';

function policyAt(start = 0) {
  let time = start;
  return { policy: createRestartPolicy(() => time), pass: (ms: number) => void (time += ms) };
}

test('a gateway that had reported ready is replaced at once, at most 60 times a minute', () => {
  const { policy, pass } = policyAt();
  for (let i = 0; i < 60; i++) expect(policy.delayMs(10)).toBe(0);
  expect(policy.delayMs(10)).toBe(200);
  expect(policy.delayMs(10)).toBe(400);
  pass(60_000);
  expect(policy.delayMs(10)).toBe(0);
});

test('a gateway that ended before it was ready waits 0.2 s, doubling to 30 s', () => {
  const { policy } = policyAt();
  const delays = Array.from({ length: 10 }, () => policy.delayMs(null));
  expect(delays).toEqual([200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30000, 30000]);
});

test('5 s of service reset the delay, less does not', () => {
  const { policy } = policyAt();
  policy.delayMs(null);
  policy.delayMs(null);
  expect(policy.delayMs(4_999)).toBe(0);
  expect(policy.delayMs(null)).toBe(800);
  expect(policy.delayMs(5_000)).toBe(0);
  expect(policy.delayMs(null)).toBe(200);
});

import { expect, test } from 'vitest';
import { createLocks, WAITING_MAX } from './locks.ts';
import { admin, harness, harnessPerFile } from './use-harness.testing.ts';

harnessPerFile();

test('one action too many is refused at once, and the waiting ones still run, in order', async () => {
  const locks = createLocks();
  const held = Promise.withResolvers<void>();
  const ran: number[] = [];
  const running = locks.settings(() => held.promise);
  const waiting = Array.from({ length: WAITING_MAX }, (_, n) => locks.settings(async () => void ran.push(n)));
  await expect(locks.settings(async () => void ran.push(-1))).rejects.toMatchObject({
    code: 'overloaded',
    sentence: { rule: 'changes_waiting' },
    retryAfterSeconds: 5,
  });
  // Another object has its own queue.
  await locks.pipeline('line-1', 'orders', async () => void ran.push(100));
  held.resolve();
  await Promise.all([running, ...waiting]);
  expect(ran).toEqual([100, ...Array.from({ length: WAITING_MAX }, (_, n) => n)]);
  await locks.settings(async () => void ran.push(101));
  expect(ran.at(-1)).toBe(101);
});

test('changes of settings beyond the limit get 503 with Retry-After, and the others are made', async () => {
  const held = Promise.withResolvers<void>();
  const { change } = harness.gateway;
  harness.gateway.change = async (one) => {
    await held.promise;
    return change.call(harness.gateway, one);
  };
  const patches = Array.from({ length: WAITING_MAX + 4 }, (_, n) =>
    admin.send('PATCH', '/settings', { egressMaxEvents: 1000 + n }),
  );
  const refused = await Promise.any(patches.map(async (one) => expectRefused(await one)));
  expect(refused.headers.get('retry-after')).toBe('5');
  held.resolve();
  const statuses = (await Promise.all(patches)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(WAITING_MAX + 1);
  expect(statuses.filter((status) => status === 503)).toHaveLength(3);
});

function expectRefused<A extends { status: number; body: unknown }>(answer: A): A {
  expect(answer).toMatchObject({ status: 503, body: { code: 'overloaded', rule: 'changes_waiting' } });
  return answer;
}

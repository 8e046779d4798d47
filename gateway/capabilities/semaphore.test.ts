import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';

test('an aborted waiter leaves the queue at once, and the others keep their order', async () => {
  const turns = new Semaphore(1);
  const hung = Promise.withResolvers<void>();
  const done: string[] = [];
  const first = turns.run(() => hung.promise);
  const over = new AbortController();
  const given = turns.run(() => Promise.resolve(done.push('given up')), over.signal);
  const second = turns.run(() => Promise.resolve(done.push('second')));
  const third = turns.run(() => Promise.resolve(done.push('third')));
  over.abort();
  await expect(given).rejects.toMatchObject({ code: 'call_cancelled' });
  expect(turns.waiting).toBe(2);
  hung.resolve();
  await Promise.all([first, second, third]);
  expect(done).toEqual(['second', 'third']);
});

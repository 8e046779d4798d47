import { expect, test, vi } from 'vitest';
import { PendingRequests } from './pending-requests.ts';

test('each answer settles its own request, in whatever order they arrive', async () => {
  const pending = new PendingRequests<string>();
  const [first, second] = [pending.add(undefined), pending.add(undefined)];
  pending.resolve(second.id, 'second');
  pending.reject(first.id, new Error('first failed'));
  await expect(second.promise).resolves.toBe('second');
  await expect(first.promise).rejects.toThrow('first failed');
  expect(pending.size).toBe(0);
});

test('a repeated answer, or one without a request, changes nothing', async () => {
  const pending = new PendingRequests<number>();
  const { id, promise } = pending.add(undefined);
  pending.resolve(id, 1);
  pending.resolve(id, 2);
  pending.reject(id + 1, new Error('unknown'));
  await expect(promise).resolves.toBe(1);
});

test('a request without an answer fails after its timeout, and its late answer is ignored', async () => {
  vi.useFakeTimers();
  try {
    const pending = new PendingRequests<number>();
    const { id, promise } = pending.add(undefined, { ms: 50, error: () => new Error('no answer') });
    const failed = expect(promise).rejects.toThrow('no answer');
    vi.advanceTimersByTime(50);
    await failed;
    pending.resolve(id, 1);
    expect(pending.size).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('an answered request leaves no timer behind', () => {
  vi.useFakeTimers();
  try {
    const pending = new PendingRequests<number>();
    pending.resolve(pending.add(undefined, { ms: 50, error: () => new Error('no answer') }).id, 1);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('if the other side ends, every request fails with an error made from its own info', async () => {
  const pending = new PendingRequests<number, string>();
  const promises = ['a', 'b'].map((info) => pending.add(info).promise);
  expect(pending.infos()).toEqual(['a', 'b']);
  const results = Promise.allSettled(promises);
  pending.rejectAll((info) => new Error(`gone: ${info}`));
  expect((await results).map((result) => result.status === 'rejected' && String(result.reason))).toEqual([
    'Error: gone: a',
    'Error: gone: b',
  ]);
  expect(pending.size).toBe(0);
});

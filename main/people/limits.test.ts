import { expect, test } from 'vitest';
import { createSerialQueue } from '#common/serial-queue.ts';
import { createFailures, ENTRIES_MAX, FORGET_MS, FREE_FAILURES, WAIT_MS_MAX } from './failures.ts';
import { hashPassword, unfittableHash, verifyPassword } from './password.ts';
import { createSessions, SESSIONS_MAX } from './sessions.ts';

test('delays double from a second to a minute and are removed after a quarter of an hour', () => {
  let clock = 0;
  const failures = createFailures(() => clock);
  const waits = (): boolean => {
    try {
      failures.check(['a']);
      return false;
    } catch {
      return true;
    }
  };
  const waitedMs: number[] = [];
  for (let count = 1; count <= 13; count++) {
    failures.add(['a']);
    const since = clock;
    while (waits()) clock += 500;
    waitedMs.push(clock - since);
  }
  expect(waitedMs.slice(0, FREE_FAILURES - 1)).toEqual([0, 0, 0, 0]);
  expect(waitedMs.slice(FREE_FAILURES - 1)).toEqual([
    1000,
    2000,
    4000,
    8000,
    16_000,
    32_000,
    60_000,
    60_000,
    WAIT_MS_MAX,
  ]);
  clock += FORGET_MS;
  failures.add(['a']);
  expect(waits()).toBe(false);
});

test('the table of failures is limited, and the most recently used entries stay', () => {
  const failures = createFailures(() => 0, 3);
  for (const key of ['a', 'b', 'a', 'c', 'd']) failures.add([key]);
  expect(failures.size).toBe(3);
  expect(ENTRIES_MAX).toBe(10_000);
});

test('sessions are limited in total', () => {
  const sessions = createSessions(() => 0);
  const first = sessions.open('user 0');
  for (let count = 1; count <= SESSIONS_MAX; count++) sessions.open(`user ${count}`);
  expect(sessions.size).toBe(SESSIONS_MAX);
  expect(sessions.find(first.cookie)).toBeNull();
});

test('a limited number wait for their turn, one runs at a time, and a failure does not block the next one', async () => {
  const turns = createSerialQueue(2, () => new Error('full'));
  const gate = Promise.withResolvers<void>();
  let running = 0;
  const task = async (): Promise<void> => {
    expect(++running).toBe(1);
    await gate.promise;
    running--;
  };
  const failing = turns.take(async () => {
    throw new Error('of its own');
  });
  const taken = [turns.take(task), turns.take(task)];
  await expect(turns.take(task)).rejects.toThrow('full');
  gate.resolve();
  await expect(failing).rejects.toThrow('of its own');
  await Promise.all(taken);
  await turns.take(task);
});

test('a hash matches only its password, composed or decomposed, and an unreadable one matches nothing', async () => {
  const cost = { n: 1024, r: 8, p: 1 };
  const hash = await hashPassword('Schlüssel für alle', cost);
  expect(await verifyPassword('Schlüssel für alle'.normalize('NFD'), hash)).toBe(true);
  expect(await verifyPassword('Schlüssel fur alle', hash)).toBe(false);
  expect(await verifyPassword('x', unfittableHash(cost))).toBe(false);
  for (const broken of ['', 'scrypt$1024$8$1$', 'plain', hash.replace('scrypt', 'md5')])
    expect(await verifyPassword('', broken)).toBe(false);
});

test('the default parameters are at least N = 2^15, r = 8', async () => {
  expect(await hashPassword('a password')).toMatch(/^scrypt\$32768\$8\$3\$/);
});

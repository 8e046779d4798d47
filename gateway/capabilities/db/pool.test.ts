import { expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { SessionPool } from './pool.ts';
import type { Session } from './session.ts';

const log = createLogger('test', () => undefined);

test('a first dial that fails tells those who wait behind it too, and not that all sessions are in use', async () => {
  const dial = Promise.withResolvers<Session>();
  const pool = new SessionPool({ max: 1, log, open: () => dial.promise });
  const told = Promise.allSettled([pool.acquire(), pool.acquire(), pool.acquire()]);
  dial.reject(new Error('no such host'));
  const reasons = (await told).map((one) => (one.status === 'rejected' ? String(one.reason) : 'a session'));
  expect(reasons).toEqual(Array(3).fill('Error: no such host'));
});

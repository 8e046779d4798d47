import { expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { SessionPool } from './pool.ts';
import type { Session } from './session.ts';

const log = createLogger('test', () => undefined);

test('a failing first connection attempt also fails the waiting calls, and does not report that all sessions are in use', async () => {
  const dial = Promise.withResolvers<Session>();
  const pool = new SessionPool({ max: 1, log, open: () => dial.promise });
  const told = Promise.allSettled([pool.acquire(), pool.acquire(), pool.acquire()]);
  dial.reject(new Error('no such host'));
  const reasons = (await told).map((one) => (one.status === 'rejected' ? String(one.reason) : 'a session'));
  expect(reasons).toEqual(Array(3).fill('Error: no such host'));
});

test('the stats report the number of sessions, the waiting calls, and the result of the last connection attempt', async () => {
  let away = false;
  const dialled: Session[] = [];
  const pool = new SessionPool({
    max: 1,
    log,
    open: async () => {
      if (away) throw new Error('no such host');
      dialled.push(silentSession());
      return dialled.at(-1) ?? silentSession();
    },
  });
  expect(pool.figures).toEqual({ max: 1, held: 0, idle: 0, dialling: 0, waiting: 0, reachable: null });
  const session = await pool.acquire();
  const waits = pool.acquire();
  expect(pool.figures).toEqual({ max: 1, held: 1, idle: 0, dialling: 0, waiting: 1, reachable: true });
  pool.release(session, true);
  away = true;
  pool.release(await waits, false);
  await expect(pool.acquire()).rejects.toThrow('no such host');
  expect(pool.figures).toEqual({ max: 1, held: 0, idle: 0, dialling: 0, waiting: 0, reachable: false });
  pool.close();
});

function silentSession(): Session {
  const nothing = () => Promise.reject(new Error('no statement is expected'));
  return {
    usable: true,
    inTransaction: false,
    query: nothing,
    procedure: nothing,
    begin: nothing,
    beginReadOnly: nothing,
    commit: nothing,
    rollback: nothing,
    reset: nothing,
    ping: nothing,
    cancel: nothing,
    close: () => undefined,
  };
}

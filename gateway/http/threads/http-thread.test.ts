import { expect, test } from 'vitest';
import type { GatewayContext } from '../gateway-context.ts';
import { ConnectionLimiter } from '../connection-limiter.ts';
import { HttpThread } from './http-thread.ts';
import type { Question } from './messages.ts';

/** A thread without callers that the test does not use. */
const edge = {} as unknown as GatewayContext;

function start(): { thread: HttpThread; lost: Promise<unknown> } {
  const { promise: lost, resolve } = Promise.withResolvers<unknown>();
  return { thread: new HttpThread({ edge, guests: new ConnectionLimiter(), identity: null, onLost: resolve }), lost };
}

test('a thread that ends unexpectedly is reported with its cause, also to callers that wait for it', async () => {
  const { thread, lost } = start();
  const waiting = thread.ask({ ask: 'listen', address: { host: '127.0.0.1', port: 0 } });
  await expect(waiting).resolves.toMatchObject({ answer: 'listen', port: expect.any(Number) });
  // Read as a batch, with an item that no thread knows.
  const never = thread.ask({ length: 2, 0: 0, 1: 0 } as unknown as Question);
  await expect(never).rejects.toThrow('the HTTP thread has ended');
  expect(await lost).toMatchObject({ message: 'the core said 0, which nobody here knows' });
});

test('an unavailable address is reported, and the thread keeps running', async () => {
  const { thread, lost } = start();
  const foreign = thread.ask({ ask: 'listen', address: { host: '192.0.2.1', port: 0 } });
  await expect(foreign).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
  await thread.end();
  // It was asked to end, so it does not count as lost.
  expect(await Promise.race([lost, Promise.resolve('none')])).toBe('none');
});

test('a request to a thread that has ended is rejected', async () => {
  const { thread } = start();
  await thread.end();
  // A stopping gateway asks its threads twice, and may have ended them in between.
  await expect(thread.ask({ ask: 'end' })).rejects.toThrow('the HTTP thread has ended');
});

import { expect, test } from 'vitest';
import { WorkerThread } from './worker-thread.ts';

/** A thread that echoes messages, ends on `close`, throws on `throw`, and ignores everything after `hang`. */
const ECHO = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (message) => {
  if (message === 'close') process.exit(0);
  if (message === 'throw') throw new Error('thrown in the thread');
  if (message === 'hang') for (;;);
  parentPort.postMessage(message);
});`;

function start() {
  const messages: string[] = [];
  const lost: { reason: string; cause: unknown }[] = [];
  const url = new URL(
    `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module';
const require = createRequire('file:///');${ECHO}`)}`,
  );
  const arrived = Promise.withResolvers<void>();
  const thread = new WorkerThread<string, string>(
    url,
    {},
    {
      onMessage: (message) => {
        messages.push(message);
        arrived.resolve();
      },
      onLost: (reason, cause) => lost.push({ reason, cause }),
    },
  );
  return { thread, messages, lost, arrived: arrived.promise };
}

test('a thread that is closed gets its messages delivered and is not reported as lost', async () => {
  const { thread, messages, lost } = start();
  thread.post('one');
  await thread.close('close', 30_000);
  expect({ messages, lost }).toEqual({ messages: ['one'], lost: [] });
});

test('a thread that throws is reported as lost, with the error', async () => {
  const { thread, lost } = start();
  thread.post('throw');
  await thread.exited;
  expect(lost).toHaveLength(1);
  expect(lost[0]?.reason).toContain('thrown in the thread');
  expect(lost[0]?.cause).toBeInstanceOf(Error);
});

test('a thread that ends by itself is reported as lost without a cause', async () => {
  const { thread, lost } = start();
  thread.post('close');
  await thread.exited;
  expect(lost).toEqual([{ reason: 'the thread ended by itself', cause: null }]);
});

test('a thread that does not end when asked is terminated', async () => {
  const { thread, messages, lost, arrived } = start();
  thread.post('up');
  await arrived;
  thread.post('hang');
  await thread.close('close', 50);
  expect({ messages, lost }).toEqual({ messages: ['up'], lost: [] });
});

test('a thread that is terminated is not reported as lost', async () => {
  const { thread, lost } = start();
  await thread.terminate();
  await thread.exited;
  expect(lost).toEqual([]);
});

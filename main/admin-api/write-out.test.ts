import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { READER_WAIT_MS, writeOut } from './write-out.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const PIECES = ['a', 'b', 'c', 'd'];
const pieces = (): Readable => Readable.from(PIECES.map((text) => Buffer.from(text)));

/** Buffers one piece: the next is written when its reader has received it. */
const narrow = (): PassThrough => new PassThrough({ highWaterMark: 1 });

async function pieceOf(answer: PassThrough): Promise<string> {
  if (answer.readableLength === 0) await once(answer, 'readable');
  return String(answer.read());
}

test('a reader that takes a chunk now and then is waited for, however long it takes in total', async () => {
  const answer = narrow();
  const writing = writeOut(pieces(), answer);
  for (const piece of PIECES) {
    vi.advanceTimersByTime(READER_WAIT_MS - 1);
    expect(await pieceOf(answer)).toBe(piece);
  }
  await writing;
  expect([answer.destroyed, answer.writableEnded, vi.getTimerCount()]).toEqual([false, false, 0]);
});

test('a reader that takes nothing more is cut off after its time', async () => {
  const answer = narrow();
  const writing = writeOut(pieces(), answer);
  const failed = expect(writing).rejects.toThrow('The reader took nothing for 60 s.');
  expect(await pieceOf(answer)).toBe('a');
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  vi.advanceTimersByTime(READER_WAIT_MS);
  await failed;
  expect(answer.destroyed).toBe(true);
});

test.each(['before a piece', 'while it waits'])('a reader that disconnects %s ends it', async (when) => {
  const answer = narrow();
  if (when === 'before a piece') await once(answer.destroy(), 'close');
  const writing = writeOut(pieces(), answer);
  const failed = expect(writing).rejects.toThrow('The reader left.');
  if (when === 'while it waits') {
    await once(answer, 'readable');
    answer.destroy();
  }
  await failed;
  expect(vi.getTimerCount()).toBe(0);
});

test('an error on the way cuts off the response', async () => {
  const answer = new PassThrough();
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a');
    throw new Error('the disk');
  }
  await expect(writeOut(failing(), answer)).rejects.toThrow('the disk');
  expect(answer.destroyed).toBe(true);
});

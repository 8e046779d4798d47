import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ANSWERS_BYTES_MAX, readAnswer, SMALL_ANSWER_BYTES_MAX } from './read-answer.ts';

function answer(text: string, complete: boolean): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.push(text);
  message.push(null);
  message.complete = complete;
  return message;
}

describe('reading a response', () => {
  test('returns its bytes and releases the memory it used', async () => {
    const memory = { bytes: 100 };
    expect(await readAnswer(answer('whole', true), memory)).toEqual(Buffer.from('whole'));
    expect(memory.bytes).toBe(100);
  });

  test('fails when it ended before it was complete', async () => {
    await expect(readAnswer(answer('half', false), { bytes: 0 })).rejects.toThrow('cut off');
  });

  test('keeps no body while too many large ones are being read: it was received, and is not requested again', async () => {
    const memory = { bytes: ANSWERS_BYTES_MAX - 4 };
    expect(await readAnswer(answer('whole', true), memory)).toBeNull();
    expect(await readAnswer(answer('half', true), memory)).toEqual(Buffer.from('half'));
    expect(memory.bytes).toBe(ANSWERS_BYTES_MAX - 4);
  });

  test('keeps small ones while large ones use their half', async () => {
    const memory = { bytes: ANSWERS_BYTES_MAX / 2 };
    const large = 'x'.repeat(SMALL_ANSWER_BYTES_MAX + 1);
    expect(await readAnswer(answer(large, true), memory)).toBeNull();
    expect(await readAnswer(answer(large.slice(1), true), memory)).toHaveLength(SMALL_ANSWER_BYTES_MAX);
  });
});

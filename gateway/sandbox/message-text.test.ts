import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHUNKS_MAX } from './limits.ts';
import { decodeResult, encodeAnswer, encodeInput } from './message-text.ts';
import { messageOf } from './sandbox-fixture.ts';

describe('a message as text', () => {
  test('carries bytes as separate copies, never the buffer that they are a part of', () => {
    const { chunks } = encodeInput(messageOf({ body: Buffer.from('secret hi secret').subarray(7, 9) }));
    expect(chunks.map((chunk) => [...chunk])).toEqual([[104, 105]]);
    expect(chunks[0]?.buffer.byteLength).toBe(2);
  });

  test('holds a limited number of byte arrays, as the result of a call does', () => {
    const list = (length: number) => Array.from({ length }, () => new Uint8Array(1));
    expect(encodeInput(messageOf(list(CHUNKS_MAX))).chunks).toHaveLength(CHUNKS_MAX);
    expect(() => encodeInput(messageOf(list(CHUNKS_MAX + 1)))).toThrow('the message holds more than 16384 byte arrays');
    expect(() => encodeAnswer('a.call', list(CHUNKS_MAX + 1))).toThrow('what a.call returned holds more than 16384');
  });

  test('is restored unchanged, whatever strings and bytes it contains', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('\u0001', '\u00010', '\u0001\u00010', '\u0001\u0001'));
    const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.uint8Array());
    const name = fc.string().filter((key) => key !== '__proto__' && key !== 'constructor');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree')),
        fc.dictionary(name, tie('tree'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, (payload) => {
        expect(decodeResult(encodeAnswer('a.call', messageOf(payload)))).toEqual({
          payload,
          request: null,
          caller: null,
        });
      }),
    );
  });
});

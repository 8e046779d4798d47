import { EventEmitter } from 'node:events';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BodyEnd, BodyReader } from './body-reader.ts';
import { BodyLane } from './body-lane.ts';
import { Shares } from '../net/shares.ts';
import { BODIES_BYTES_MAX, DISCARD_BYTES_MAX, SMALL_CHUNK_BYTES, SMALL_CHUNKS_BYTES } from './limits.ts';

const HOLDER = { id: 'key', name: 'MES', project: 'line-1' };
const LARGEST = 3 * SMALL_CHUNK_BYTES;

function reader(given: Partial<ConstructorParameters<typeof BodyReader>[2]> = {}) {
  const request = Object.assign(new EventEmitter(), {
    httpVersion: '1.1',
    rawHeaders: [],
    rawTrailers: [],
    complete: true,
  });
  let isPaused = false;
  const source = { pauseBody: () => void (isPaused = true), resumeBody: () => void (isPaused = false) };
  const bodies = new Shares(BODIES_BYTES_MAX);
  const ends: BodyEnd[] = [];
  const limits = { maxBytes: 64 * SMALL_CHUNKS_BYTES, timeoutMs: 1_000, declaredTooLarge: false, ...given };
  const body = new BodyReader(
    request,
    { bodies, holder: HOLDER, lane: new BodyLane(), source, isRefused: () => false },
    limits,
    (end) => ends.push(end),
  );
  return { request, bodies, ends, body, isPaused: () => isPaused };
}

function joined(body: BodyReader): { bytes: Buffer | undefined; steps: number } {
  const pieces = body.joined();
  for (let steps = 1; ; steps++) {
    const { done, value } = pieces.next();
    if (done) return { bytes: value, steps };
  }
}

test('a long body is joined in steps', () => {
  const { request, body } = reader({ maxBytes: 8 * 1024 * 1024 });
  for (let n = 0; n < 64; n++) request.emit('data', Buffer.alloc(64 * 1024, n));
  expect(joined(body).steps).toBeGreaterThan(3);
});

test('a caller whose body ends while it waits is read further', () => {
  const { request, ends, isPaused } = reader({ maxBytes: 8 * 1024 * 1024 });
  for (let n = 0; n < 40; n++) request.emit('data', Buffer.alloc(64 * 1024));
  expect(isPaused()).toBe(true);
  request.emit('end');
  expect([ends, isPaused()]).toEqual([['complete'], false]);
});

test('a body equals the received data, however it is split', () => {
  const piece = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 4 }),
    fc.uint8Array({ minLength: SMALL_CHUNK_BYTES - 1, maxLength: SMALL_CHUNK_BYTES + 1 }),
    fc.uint8Array({ minLength: 1, maxLength: LARGEST }),
  );
  // More consecutive small pieces than are joined in one buffer.
  const small = fc.uint8Array({ minLength: SMALL_CHUNK_BYTES - 100, maxLength: SMALL_CHUNK_BYTES });
  const bodies = fc.oneof(
    fc.array(piece, { minLength: 1, maxLength: 60 }),
    fc.array(small, { minLength: SMALL_CHUNKS_BYTES / SMALL_CHUNK_BYTES, maxLength: 60 }),
  );
  fc.assert(
    fc.property(bodies, (pieces) => {
      const { request, bodies, ends, body } = reader();
      for (const one of pieces) {
        const chunk = Buffer.from(one);
        request.emit('data', chunk);
        // A small piece is copied, because its buffer is reused.
        if (chunk.length <= SMALL_CHUNK_BYTES && one !== pieces[0]) chunk.fill(0);
      }
      const all = Buffer.concat(pieces);
      expect(bodies.used).toBe(all.length);
      request.emit('end');
      expect(ends).toEqual(['complete']);
      expect(body.bytes.equals(all)).toBe(true);
      expect(joined(body).bytes?.equals(all)).toBe(true);
      body.release();
      expect(bodies.used).toBe(0);
    }),
    { numRuns: 200, endOnFailure: true },
  );
});

test.each([
  ['from the first byte on, when its declared length is too large', true, 0],
  ['from the byte on that was too much', false, 1_001],
])('8 MiB of a body that is too large are discarded: %s', (_from, declaredTooLarge, before) => {
  const { request, ends } = reader({ maxBytes: 1_000, declaredTooLarge });
  request.emit('data', Buffer.alloc(before));
  request.emit('data', Buffer.alloc(DISCARD_BYTES_MAX));
  expect(ends).toEqual([]);
  request.emit('data', Buffer.alloc(1));
  expect(ends).toEqual(['too_large']);
});

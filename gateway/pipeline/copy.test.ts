import { expect, test } from 'vitest';
import { copyPayload } from './copy.ts';

test('a payload that is too large for a message between pipelines is reported as such, not as a problem of wires', () => {
  expect(() => copyPayload({ lines: Array(1_100_000).fill(1) })).toThrow(
    'payload: a message between pipelines may hold at most 16777216 bytes',
  );
});

test('strings and field names count, since waiting messages hold them too', () => {
  const refused = 'at most 16777216 bytes';
  expect(() => copyPayload({ text: 'x'.repeat(9_000_000) })).toThrow(refused);
  expect(() => copyPayload({ ['x'.repeat(9_000_000)]: 1 })).toThrow(refused);
  expect(copyPayload('x'.repeat(1_000)).bytes).toBeGreaterThanOrEqual(2_000);
});

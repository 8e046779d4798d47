import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatGeneration, formatRecord, parseGeneration, parseRecord } from './secret-record.ts';

const secret = randomBytes(32);

test('a record is read as it was written, with surrounding white space', () => {
  expect(parseRecord('v', ` ${formatRecord('v', secret, 42)}\n`)).toEqual({ secret, generation: 42 });
  expect(parseGeneration('v', secret, formatGeneration('v', secret, 42))).toBe(42);
});

test('a record of another vault, with another generation, or with any character changed is rejected', () => {
  const text = formatRecord('v', secret, 42);
  expect(parseRecord('w', text)).toBeNull();
  expect(parseRecord('v', text.replace('.42.', '.41.'))).toBeNull();
  for (let at = 0; at < text.length; at++) {
    const other = text[at] === 'A' ? 'B' : 'A';
    const changed = parseRecord('v', text.slice(0, at) + other + text.slice(at + 1));
    // The last character of base64url has unused bits.
    expect(changed === null || changed.secret.equals(secret), `character ${at}`).toBe(true);
  }
});

test('a generation cannot be forged without the secret', () => {
  const text = formatGeneration('v', secret, 42);
  expect(parseGeneration('v', secret, text.replace('.42.', '.7.'))).toBeNull();
  expect(parseGeneration('v', randomBytes(32), text)).toBeNull();
  expect(parseGeneration('v', secret, 'rubbish')).toBeNull();
});

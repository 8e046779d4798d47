import { expect, test } from 'vitest';
import { makeToken } from './metrics-token.ts';

test('a token is long, random and free of characters that need quoting', () => {
  const tokens = Array.from({ length: 50 }, makeToken);
  expect(new Set(tokens).size).toBe(50);
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONG } from './long-first.ts';
import { ROOT } from './paths.ts';

test('every file that is to come first is there, and named once', () => {
  expect(LONG.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(new Set(LONG).size).toBe(LONG.length);
});

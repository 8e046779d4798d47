import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONG } from './long-first.ts';
import { ROOT } from './paths.ts';

test('every file to run first exists and is listed once', () => {
  expect(LONG.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(new Set(LONG).size).toBe(LONG.length);
});

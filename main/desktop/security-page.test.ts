import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The security page names a file and the implementation of each item in it: both must exist. */
const ROOT = new URL('../../', import.meta.url);
const page = readFileSync(fileURLToPath(new URL('docs/guides/desktop-security.md', ROOT)), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('|'));
const named = rows.flatMap((row) =>
  [...row.matchAll(/`((?:main|common)\/[^`]+\.ts|package\.json)` `([^`]+)`/g)].map(([, file = '', what = '']) => ({
    file,
    what,
  })),
);

test('all 17 items of the checklist are there and checked', () => {
  const items = rows.flatMap((row) => /^\|\s*(\d+)\s*\|[^|]+\|\s*✔/.exec(row)?.[1] ?? []);
  expect(items).toEqual(Array.from({ length: 17 }, (_, index) => String(index + 1)));
  expect(named.length).toBeGreaterThanOrEqual(27);
});

test.each(named)('$what is in $file', ({ file, what }) => {
  expect(readFileSync(fileURLToPath(new URL(file, ROOT)), 'utf8')).toContain(what);
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#test/paths.ts';
import manifest from '../package.json' with { type: 'json' };

const PAGE = readFileSync(join(ROOT, 'docs/DEVELOPMENT.md'), 'utf8');
const FILE = /`([\w.-]+(?:\/[\w.-]+)+\.\w+)`/g;
const SCRIPT = /npm run ([\w:]+)/g;

const named = (pattern: RegExp): string[] => [...PAGE.matchAll(pattern)].map(([, name = '']) => name);

test('docs/DEVELOPMENT.md names only existing files and scripts', () => {
  const files = named(FILE);
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(named(SCRIPT).filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
});

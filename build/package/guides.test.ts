import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { copyGuides, GUIDES } from './guides.ts';
import { filesOf, refuseStrangers } from './tree-files.ts';

test('the packed guides include every file that they link to, and no pictures', async () => {
  await using tree = await tempDir('sluice-guides-');
  copyGuides(tree.path);
  const files = filesOf(tree.path);
  expect(() => refuseStrangers(files)).not.toThrow();
  const pages = files.filter(({ path }) => path.endsWith('.md'));
  expect(pages.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['install', 'operate', 'packages'].map((name) => `${GUIDES}/guides/${name}.md`)),
  );
  for (const { path } of pages) {
    const text = readFileSync(join(tree.path, path), 'utf8');
    expect(text, path).not.toContain('![');
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g))
      if (!/^https?:/.test(target))
        expect(existsSync(join(tree.path, dirname(path), target)), `${path}: ${target}`).toBe(true);
  }
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(800 * 1024);
});

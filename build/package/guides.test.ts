import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { copyGuides, GUIDES, packedPage } from './guides.ts';
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
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(768 * 1024);
});

test('a packed page keeps its text and its code, without the blanks that align tables', () => {
  const page = '| a    | b |\n| ---- | -------- |\n```sh\n| x    |\n```\na  b ![p](p.png)\n';
  expect(packedPage(page)).toBe('| a | b |\n| --- | --- |\n```sh\n| x    |\n```\na  b [Picture: p]\n');
});

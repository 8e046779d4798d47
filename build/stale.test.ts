import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { isStale } from './stale.ts';

const EARLY = new Date('2026-01-01T00:00:00Z');
const BUILT = new Date('2026-01-02T00:00:00Z');
const LATE = new Date('2026-01-03T00:00:00Z');

test('a built file is stale if it is missing, or if a source was changed, added or removed later', async () => {
  await using folder = await tempDir();
  const made = join(folder.path, 'index.html');
  const sources = join(folder.path, 'docs', 'guides');
  const page = join(sources, 'install.md');
  await mkdir(sources, { recursive: true });
  await writeFile(page, '# Install');
  const settle = async (): Promise<void> => {
    for (const path of [page, sources, join(folder.path, 'docs')]) await utimes(path, EARLY, EARLY);
    await writeFile(made, 'built');
    await utimes(made, BUILT, BUILT);
  };
  const stale = (): boolean => isStale(made, [join(folder.path, 'docs')]);
  expect(stale()).toBe(true);
  await settle();
  expect(stale()).toBe(false);
  await utimes(page, LATE, LATE);
  expect(stale()).toBe(true);
  await settle();
  await writeFile(join(sources, 'new.md'), '# New');
  expect(stale()).toBe(true);
  await rm(join(sources, 'new.md'));
  expect(stale()).toBe(true);
});

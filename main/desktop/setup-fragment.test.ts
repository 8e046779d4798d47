import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { setupFragment } from './setup-fragment.ts';

test('the window opens with the token until it is used', async () => {
  await using folder = await tempDir('sluice-fragment-');
  const file = join(folder.path, 'setup-token');
  expect(setupFragment(null)).toBe('');
  await writeFile(file, 'K7QF-2M9D-XW\n');
  expect(setupFragment(file)).toBe('#token=K7QF-2M9D-XW');
  await rm(file);
  expect(setupFragment(file)).toBe('');
});

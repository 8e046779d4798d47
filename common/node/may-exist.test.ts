import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { mayExist } from './may-exist.ts';

test('an existing file may exist, a missing one does not, and one that cannot be checked may', async () => {
  await using dir = await tempDir();
  const at = (name: string): string => join(dir.path, name);
  writeFileSync(at('file'), '');
  mkdirSync(at('folder'));
  expect([at('file'), at('folder'), at('none'), at('none/below')].map(mayExist)).toEqual([true, true, false, false]);
  // ENAMETOOLONG has the same effect as EACCES for a user other than root.
  expect(mayExist(at('x'.repeat(300)))).toBe(true);
});

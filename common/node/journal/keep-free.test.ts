import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { realFileOps, writeFully } from './file-ops.ts';
import { keepingFree } from './keep-free.ts';

test('writes fail as on a full disk if too little space is free, and succeed otherwise', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'a');
  const fd = openSync(file, 'w');
  const row = Buffer.from('row');
  expect(() => writeFully(keepingFree(realFileOps, folder.path, Infinity), fd, row, 0)).toThrow(/^ENOSPC/);
  expect(readFileSync(file, 'utf8')).toBe('');
  writeFully(keepingFree(realFileOps, folder.path, 1), fd, row, 0);
  writeFully(keepingFree(realFileOps, join(folder.path, 'unknown'), Infinity), fd, row, row.length);
  expect(readFileSync(file, 'utf8')).toBe('rowrow');
  closeSync(fd);
});

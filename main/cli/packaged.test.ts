import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NODE_PROGRAM } from '#common/node/helper-program.ts';
import { tempDir } from '#test/temp-dir.ts';
import { runsFromPackage } from './packaged.ts';

test('a package runs with the Node beside it, and any other Node belongs to a checkout', async () => {
  await using tree = await tempDir('sluice-packaged-');
  const own = join(tree.path, NODE_PROGRAM);
  expect(runsFromPackage(own)).toBe(false);
  mkdirSync(join(tree.path, 'app'));
  writeFileSync(join(tree.path, 'app', 'service.js'), '');
  expect(runsFromPackage(own)).toBe(true);
  expect(runsFromPackage(join(tree.path, 'bin', 'node'))).toBe(false);
  expect(runsFromPackage(process.execPath)).toBe(false);
});

import { relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { makeBundle } from './bundle.ts';
import { DESKTOP_ENTRIES, SERVICE_ENTRIES } from './entries.ts';
import { ROOT } from './places.ts';

/** `build/npm` contains npm packages of Sluice. */
const PRODUCT = /^(?:common|gateway|main|node_modules|plugins|build\/npm)\//;

test('packages contain no build or test files and import nothing that they lack', async () => {
  await using folder = await tempDir('sluice-bundle-');
  const { modules, imports } = await makeBundle({ ...SERVICE_ENTRIES, ...DESKTOP_ENTRIES }, folder.path, '9.8.7');
  const files = modules.filter((id) => id.startsWith(ROOT)).map((id) => relative(ROOT, id).split(sep).join('/'));
  expect(files).toContain('main/service.ts');
  expect(files.filter((file) => !PRODUCT.test(file) || /\.test\.ts$|\.testing\.ts$|\/testing\//.test(file))).toEqual(
    [],
  );
  expect(imports.filter((name) => /^(?:vite|rolldown|playwright|vitest)/.test(name))).toEqual([]);
});

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#test/paths.ts';
import { tempDir } from '#test/temp-dir.ts';
import { refuseForeignCode } from './native-code.ts';

const PREBUILDS = join(ROOT, 'node_modules/keytar/prebuilds');
const ARM = { platform: 'linux', arch: 'arm64' } as const;
const INTEL = { platform: 'linux', arch: 'x64' } as const;

test('native code for another machine is not packed', async () => {
  await using tree = await tempDir();
  copyFileSync(join(PREBUILDS, 'linux-arm64/keytar.node'), join(tree.path, 'keytar.node'));
  writeFileSync(join(tree.path, 'README.md'), 'A text that is longer than the header of an ELF file.');
  expect(() => refuseForeignCode(tree.path, ARM)).not.toThrow();
  expect(() => refuseForeignCode(tree.path, INTEL)).toThrow('keytar.node is for the ELF machine 183; expected 62');
});

test('a runtime without native code is refused', async () => {
  await using tree = await tempDir();
  mkdirSync(join(tree.path, 'runtime'));
  writeFileSync(join(tree.path, 'runtime/node'), '#!/bin/sh\n');
  expect(() => refuseForeignCode(tree.path, INTEL)).toThrow('runtime/node is no ELF file; expected 62 (linux-x64)');
});

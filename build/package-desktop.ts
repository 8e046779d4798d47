import { resolve } from 'node:path';
import { packageDesktop } from './package/desktop-package.ts';
import { ROOT } from './package/places.ts';
import type { Target } from './package/target.ts';

/**
 * `npm run package:desktop [-- electron-builder's arguments]`: the desktop package for this kind of machine, in
 * release/out. `-- --dir` stops at the unpacked application. Needs Electron's program and electron-builder's tools,
 * which it downloads, and Chromium for the icons.
 *
 * `--project DIR` as the first argument: another folder with an electron-builder.yml; for tests.
 */
const [first, folder, ...rest] = process.argv.slice(2);
const elsewhere = first === '--project' && folder !== undefined;
const target = { platform: process.platform as Target['platform'], arch: process.arch as Target['arch'] };
process.exitCode = await packageDesktop(
  target,
  elsewhere ? resolve(folder) : ROOT,
  elsewhere ? rest : process.argv.slice(2),
);

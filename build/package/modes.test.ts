import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { setModes } from './modes.ts';

test.skipIf(process.platform === 'win32')(
  'files created under a restrictive umask are readable and executable for all users',
  async () => {
    await using folder = await tempDir();
    const at = (path: string): string => join(folder.path, path);
    mkdirSync(at('runtime'), { mode: 0o700 });
    for (const path of ['package.json', 'sluice', 'runtime/node', 'runtime/LICENSE', 'outside'])
      writeFileSync(at(path), '', { mode: 0o600 });
    symlinkSync(at('outside'), at('runtime/link'));
    chmodSync(at('sluice'), 0o777);
    setModes(at('runtime'));
    expect(statSync(at('outside')).mode & 0o777).toBe(0o600);
    setModes(folder.path);
    const modes = ['.', 'runtime', 'sluice', 'runtime/node', 'package.json', 'runtime/LICENSE'].map((path) =>
      (statSync(at(path)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['755', '755', '755', '755', '644', '644']);
  },
);

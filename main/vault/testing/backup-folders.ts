import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { tempDir, type TempDir } from '#test/temp-dir.ts';

/** A data folder and another folder for the backup. */
export let home: TempDir;
export let spare: TempDir;
export let file: string;

export function backupFoldersPerTest(): void {
  beforeEach(async () => {
    [home, spare] = await Promise.all([tempDir(), tempDir()]);
    file = join(spare.path, 'line.backup');
  });
  afterEach(async () => {
    await home.remove();
    await spare.remove();
  });
}

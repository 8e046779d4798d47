import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '#test/paths.ts';

export const OLD_ROWS = 100_000;
const PROGRAM = join(ROOT, 'main/host/old-rows.testing.ts');

/** Creates a data folder whose journal has OLD_ROWS calls, `old-0` to the newest, a minute old. */
export async function writeOldRows(dataDir: string): Promise<void> {
  await promisify(execFile)(process.execPath, [PROGRAM, dataDir, String(OLD_ROWS)]);
}

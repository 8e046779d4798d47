import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { tempDir, type TempDir } from './temp-dir.ts';

/** A separate folder for each test of the file. */
export function dirPerTest(make: () => Promise<TempDir> = tempDir): Pick<TempDir, 'path'> {
  return dirBetween(beforeEach, afterEach, make);
}

/** A folder that all tests of the file share. */
export function dirPerFile(make: () => Promise<TempDir> = tempDir): Pick<TempDir, 'path'> {
  return dirBetween(beforeAll, afterAll, make);
}

/**
 * Later hooks of the file may use the folder; vitest runs the last ones in reverse, so that it is removed after them.
 */
function dirBetween(
  first: (act: () => Promise<void>) => void,
  last: (act: () => Promise<void> | undefined) => void,
  make: () => Promise<TempDir>,
): Pick<TempDir, 'path'> {
  let dir: TempDir | undefined;
  first(async () => {
    dir = await make();
  });
  last(() => dir?.remove());
  return {
    get path() {
      if (dir === undefined) throw new Error('the folder exists only while tests run');
      return dir.path;
    },
  };
}

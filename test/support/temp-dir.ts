import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder; `await using` or `remove()` removes it. */
export interface TempDir extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

export async function tempDir(prefix = 'sluice-test-', under = tmpdir()): Promise<TempDir> {
  const path = await mkdtemp(join(under, prefix));
  // A process that was just killed may still be writing its last bytes.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}

/** The same in memory, if the system has such a folder: for tests that flush often and do not test the disk. */
export function memoryDir(): Promise<TempDir> {
  return tempDir('sluice-test-', existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
}

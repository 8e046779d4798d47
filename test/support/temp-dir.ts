import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own; `await using` or `remove()` takes it away again. */
export interface TempDir extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

export async function tempDir(prefix = 'sluice-test-'): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  // A process that was just killed may still be writing its last bytes.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}

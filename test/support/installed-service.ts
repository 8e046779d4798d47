import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './paths.ts';
import { tempDir } from './temp-dir.ts';

export interface InstalledService extends AsyncDisposable {
  /** The `sluice` program of the package. */
  readonly program: string;
}

/**
 * The package's service tree in a folder that every user can read, as installed by the .deb below /usr/lib. Tests that
 * start Sluice as another user need it: only root can read a checkout below /root.
 */
export async function installService(): Promise<InstalledService> {
  const folder = await tempDir('sluice-installed-');
  try {
    await chmod(folder.path, 0o755);
    const script = join(ROOT, 'build/package-service.ts');
    const own = join(ROOT, 'node_modules/.bin');
    await promisify(execFile)(process.execPath, [script, '--tree-only', '--out', folder.path], {
      cwd: ROOT,
      env: { ...process.env, PATH: `${own}:${process.env['PATH'] ?? ''}` },
    });
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return {
    program: join(folder.path, 'service', 'sluice'),
    [Symbol.asyncDispose]: folder.remove,
  };
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '#test/paths.ts';

/** Runs one of the package scripts in `build/`; resolves to what it printed. */
export async function build(script: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'build', script), ...args], {
    cwd: ROOT,
    maxBuffer: 16 * 1024 ** 2,
    env: { ...process.env, PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}` },
  });
  return stdout;
}

import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { ROOT } from '#test/paths.ts';

/**
 * Runs npm of this machine with the settings of the machine: outside of the project folder, on the Node that npm belongs
 * to, because npm reads its global settings from beside that Node, and without the settings that an npm script inherits
 * in `npm_config_*`: they name the global settings of the npm that runs the script.
 */
export function machineNpm(...words: string[]): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  const env = { ...Object.fromEntries(own), PATH: folders.join(delimiter) };
  return execFileSync('npm', [...words, '--loglevel=error'], { cwd: '/', env, encoding: 'utf8' }).trim();
}

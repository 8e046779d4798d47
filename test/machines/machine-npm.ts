import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { ROOT } from '#test/paths.ts';

/**
 * Runs npm of this machine with the settings of the machine: outside of the project folder and on the Node that npm
 * belongs to, because npm reads its global settings from beside that Node.
 */
export function machineNpm(...words: string[]): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  const env = { ...process.env, PATH: folders.join(delimiter) };
  return execFileSync('npm', [...words, '--loglevel=error'], { cwd: '/', env, encoding: 'utf8' }).trim();
}

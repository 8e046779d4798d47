import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { ROOT } from '#test/paths.ts';

/**
 * This machine's own npm, with the machine's settings: not in the project's folder, and on the Node that it belongs to,
 * because npm looks for its global settings beside the Node that runs it.
 */
export function machineNpm(...words: string[]): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  const env = { ...process.env, PATH: folders.join(delimiter) };
  return execFileSync('npm', [...words, '--loglevel=error'], { cwd: '/', env, encoding: 'utf8' }).trim();
}

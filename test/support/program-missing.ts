import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Why a program of the machine cannot run here, or false: for `skipIf`. */
export function programMissing(program: string): string | false {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const there = existsSync(program) || folders.some((folder) => existsSync(join(folder, program)));
  return !there && `${program} is not installed`;
}

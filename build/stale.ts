import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether `made` is missing or older than one of its source files and folders. */
export function isStale(made: string, parts: readonly string[]): boolean {
  if (!existsSync(made)) return true;
  const madeAt = statSync(made).mtimeMs;
  return parts.some((path) => isNewer(path, madeAt));
}

/** A folder counts too: its time changes when a file in it is removed. */
function isNewer(path: string, time: number): boolean {
  const info = statSync(path);
  if (info.mtimeMs > time) return true;
  return info.isDirectory() && readdirSync(path).some((name) => isNewer(join(path, name), time));
}

import { statSync } from 'node:fs';

/** False only if nothing of that name exists for certain: a file that cannot be accessed may exist. Never throws. */
export function mayExist(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

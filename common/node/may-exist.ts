import { statSync } from 'node:fs';

/** False only when there is surely nothing of that name: one that cannot be looked at may be there. Never throws. */
export function mayExist(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

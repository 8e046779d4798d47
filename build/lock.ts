import { readFileSync, writeFileSync } from 'node:fs';

/**
 * `npm run lock`, after every change of dependencies: removes the field `engines` of other packages from
 * package-lock.json. npm compares it with the Node that runs npm, prints warnings (590 lines on Debian 12) and skips
 * native packages such as Rolldown's. Sluice runs on the Node in the lock file, whichever Node runs npm.
 */
const LOCK = new URL('../package-lock.json', import.meta.url);

interface Lock {
  packages: Record<string, { engines?: unknown }>;
}

/** Names of the packages in the lock file that still have an `engines` field; Sluice's own does not count. */
export function packagesWithEngines({ packages }: Lock): string[] {
  return Object.keys(packages).filter((name) => name !== '' && packages[name]?.engines !== undefined);
}

export function readLock(): Lock {
  return JSON.parse(readFileSync(LOCK, 'utf8')) as Lock;
}

function main(): void {
  const lock = readLock();
  for (const name of packagesWithEngines(lock)) delete lock.packages[name]?.engines;
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
}

if (import.meta.main) main();

import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeDataLock } from '../vault/lock.ts';

const PREFIX = 'sluice-demo-';
/** As `mkdtemp` completes the prefix. */
const OWN_NAME = /^sluice-demo-[A-Za-z0-9]{6}$/;
/** A demo that is just starting has made its lock file, and may not have locked it yet. */
const SETTLED_MS = 60_000;
const SWEPT_MAX = 100;

/** A data folder that is gone with the demo. Removes those of demos that were killed. */
export function makeThrowAwayFolder(parent = tmpdir()): { folder: string; remove(): void } {
  sweep(parent);
  const folder = mkdtempSync(join(parent, PREFIX));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function sweep(parent: string): void {
  const named = readdirSync(parent).filter((name) => OWN_NAME.test(name));
  for (const name of named.slice(0, SWEPT_MAX)) {
    try {
      removeIfAbandoned(join(parent, name));
    } catch {
      // Another user's, or another demo has just removed it: this demo does not depend on it.
    }
  }
}

/** Abandoned is a folder of this user that has a lock file which no process holds. */
function removeIfAbandoned(folder: string): void {
  const found = lstatSync(folder);
  const lockFile = join(folder, 'lock.sqlite');
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid) || !existsSync(lockFile)) return;
  if (Date.now() - lstatSync(lockFile).mtimeMs < SETTLED_MS) return;
  if (isHeld(folder)) return;
  // A gateway whose host was killed this moment may still be closing its files.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Whether a demo runs on the folder. Nobody else takes a lock that is free: each demo makes a folder of its own. */
function isHeld(folder: string): boolean {
  try {
    takeDataLock(folder).release();
    return false;
  } catch {
    return true;
  }
}

import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeDataLock } from '../vault/lock.ts';

const PREFIX = 'sluice-demo-';
/** As `mkdtemp` completes the prefix. */
const OWN_NAME = /^sluice-demo-[A-Za-z0-9]{6}$/;
/** A demo that is starting has created its lock file, but may not have locked it yet. */
const SETTLED_MS = 60_000;
const SWEPT_MAX = 100;

/** Creates a data folder that is deleted when the demo ends. Deletes folders of demos that were killed. */
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
      // The folder belongs to another user, or another demo has just removed it. This demo does not need it.
    }
  }
}

/** A folder is abandoned if it belongs to this user and no process holds its lock file. */
function removeIfAbandoned(folder: string): void {
  const found = lstatSync(folder);
  const lockFile = join(folder, 'lock.sqlite');
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid) || !existsSync(lockFile)) return;
  if (Date.now() - lstatSync(lockFile).mtimeMs < SETTLED_MS) return;
  if (isHeld(folder)) return;
  // The gateway of a host that was just killed may still be closing its files.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Whether a demo runs on the folder. Only its own demo ever locks a folder, so a free lock stays free. */
function isHeld(folder: string): boolean {
  try {
    takeDataLock(folder).release();
    return false;
  } catch {
    return true;
  }
}

import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeDataLock } from '../vault/lock.ts';

const PREFIX = 'sluice-demo-';
/** As `mkdtemp` completes the prefix. */
const OWN_NAME = /^sluice-demo-[A-Za-z0-9]{6}$/;
/** Marks a folder that a demo created: a user may have given a data folder a similar name. */
const MARK = 'throw-away';
/** A demo that is starting has created its lock file, but may not have locked it yet. */
const SETTLED_MS = 60_000;
const SWEPT_MAX = 100;

/** Creates a data folder that is deleted when the demo ends. Deletes folders of demos that were killed. */
export function makeThrowAwayFolder(parent = tmpdir()): { folder: string; remove(): void } {
  sweep(parent);
  const folder = mkdtempSync(join(parent, PREFIX));
  writeFileSync(join(folder, MARK), '', { flag: 'wx' });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function sweep(parent: string): void {
  const folders = readdirSync(parent)
    .filter((name) => OWN_NAME.test(name))
    .map((name) => join(parent, name))
    .filter(isOurs);
  for (const folder of folders.slice(0, SWEPT_MAX)) {
    try {
      removeIfAbandoned(folder);
    } catch {
      // Another demo has just removed it. This demo does not need it.
    }
  }
}

/** Whether this user's demo created the folder. Folders of other users must not count towards SWEPT_MAX either. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) return false;
  return existsSync(join(folder, MARK));
}

/** A folder is abandoned if no process holds its lock file. */
function removeIfAbandoned(folder: string): void {
  const lockFile = join(folder, 'lock.sqlite');
  if (!existsSync(lockFile)) return;
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

import type { DatabaseSyncOptions } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { denied, guardedClass } from './denied.ts';

type Words = [path: string | Buffer | URL, options?: DatabaseSyncOptions];

/**
 * SQLite opens files itself, bypassing the permission model: a database gets only a path that Node could open too, and
 * cannot open a second one (ATTACH, VACUUM INTO). Code that tries to do so can raise the limit again.
 */
export function confineDatabases(permission: Pick<NodeJS.ProcessPermission, 'has'>): void {
  const check = ([path, options]: Words): Words => {
    const file = pathOf(path);
    if (file !== ':memory:' && file !== '') {
      const permitted = permission.has('fs.read', file) && permission.has('fs.write', file);
      if (!permitted || file.startsWith('file:')) denied(`the database ${file}`)();
    }
    return [file, { ...options, limits: { ...options?.limits, attach: 0 } }];
  };
  // Before its first import: Node keeps the named exports of this module from the first import (syncBuiltinESMExports
  // leaves it out).
  const sqlite = process.getBuiltinModule('node:sqlite');
  const confined = guardedClass(sqlite.DatabaseSync, check as never);
  Object.assign(sqlite, { DatabaseSync: confined, backup: denied('SQLite backups') });
}

function pathOf(path: string | Buffer | URL): string {
  if (path instanceof URL) return fileURLToPath(path);
  return String(path);
}

import type { DatabaseSyncOptions } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { denied, guardedClass } from './denied.ts';

type Words = [path: string | Buffer | URL, options?: DatabaseSyncOptions];

/**
 * SQLite opens files by itself, past the permission model: a database gets only the path of one that Node could open too,
 * and cannot open a second one (ATTACH, VACUUM INTO). The limit can be raised again by code that sets out to do so.
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
  // Before the first import of it: Node keeps what an import of this module has named (syncBuiltinESMExports leaves it out).
  const sqlite = process.getBuiltinModule('node:sqlite');
  const confined = guardedClass(sqlite.DatabaseSync, check as never);
  Object.assign(sqlite, { DatabaseSync: confined, backup: denied('SQLite backups') });
}

function pathOf(path: string | Buffer | URL): string {
  if (path instanceof URL) return fileURLToPath(path);
  return String(path);
}

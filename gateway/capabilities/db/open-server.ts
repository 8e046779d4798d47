import type { ConnectionSettings } from '#common/model/connection.ts';
import type { Logger } from '#common/node/log.ts';
import { NodeError } from '#sdk';
import type { TargetGuard } from '#net/target-guard.ts';
import type { Database, DatabaseSettings } from './contract.ts';
import { mysqlEngine } from './engines/mysql.ts';
import { postgresEngine } from './engines/postgresql.ts';
import { sqlServerEngine } from './engines/sqlserver.ts';
import { ServerDatabase } from './server-database.ts';
import type { Engine } from './session.ts';

/** Does not connect yet. Throws NodeError `connection_invalid` if it is not a connection to a database. */
export function openServer(
  settings: ConnectionSettings,
  { guard, log }: { guard: TargetGuard; log: Logger },
): Database {
  if (!('database' in settings))
    throw new NodeError('connection_invalid', `expected a connection to a database; this one is ${settings.kind}`);
  return new ServerDatabase(engineOf(settings, guard), { poolMax: settings.poolMax, log });
}

function engineOf(settings: DatabaseSettings, guard: TargetGuard): Engine {
  switch (settings.kind) {
    case 'postgresql':
      return postgresEngine(settings, guard);
    case 'mysql':
      return mysqlEngine(settings, guard);
    case 'sqlserver':
      return sqlServerEngine(settings, guard);
  }
}

import type { ConnectionTest } from '#common/control/messages.ts';
import type { ConnectionDefinition } from '#common/model/connection.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import type { Databases } from './db/databases.ts';
import { probeModbus } from './tags/modbus/probe.ts';
import { probeMqtt } from './tags/mqtt/probe.ts';
import { probeOpcua } from './tags/opcua/probe.ts';

export interface TestParts {
  readonly databases: Databases;
  readonly guard: TargetGuard;
  readonly dataDir: string;
}

/** Dials a connection once, as it would be used, and says what answered. Never throws for what is away. */
export function testConnection(
  { databases, guard, dataDir }: TestParts,
  connection: ConnectionDefinition,
): Promise<ConnectionTest> {
  const { id, settings } = connection;
  switch (settings.kind) {
    case 'opcua':
      return probeOpcua(settings, { guard, dataDir });
    case 'modbus':
      return probeModbus({ ...settings, id }, { guard });
    case 'mqtt':
      return probeMqtt({ ...settings, id }, { guard });
    case 'postgresql':
    case 'mysql':
    case 'sqlserver':
      return databases.test(connection);
  }
}

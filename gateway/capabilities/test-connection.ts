import type { ConnectionTest } from '#common/control/messages.ts';
import type { ConnectionDefinition } from '#common/model/connection.ts';
import type { Databases } from './db/databases.ts';
import type { DeviceDrivers } from './tags/devices/device-drivers.ts';

export interface TestParts {
  readonly databases: Databases;
  readonly devices: DeviceDrivers;
}

/** Dials a connection once, as it would be used, and says what answered. Never throws for what is away. */
export function testConnection(
  { databases, devices }: TestParts,
  connection: ConnectionDefinition,
): Promise<ConnectionTest> {
  const { id, settings } = connection;
  if ('database' in settings) return databases.test(connection);
  return devices.probe({ ...settings, id });
}

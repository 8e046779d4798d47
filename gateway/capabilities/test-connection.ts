import type { ConnectionTest } from '#common/control/messages.ts';
import type { ConnectionDefinition } from '#common/model/connection.ts';
import type { Databases } from './db/databases.ts';
import type { DeviceDrivers } from './tags/devices/device-drivers.ts';

export interface TestParts {
  readonly databases: Databases;
  readonly devices: DeviceDrivers;
}

/** Connects once, in the same way as a run, and returns the result. An unreachable server is a result, not an exception. */
export function testConnection(
  { databases, devices }: TestParts,
  connection: ConnectionDefinition,
): Promise<ConnectionTest> {
  const { id, settings } = connection;
  if ('database' in settings) return databases.test(connection);
  return devices.probe({ ...settings, id });
}

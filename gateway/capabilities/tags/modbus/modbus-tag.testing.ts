import { connectionSettings } from '#common/model/connection.ts';
import { tagDefinition } from '#common/model/tag.ts';
import type { ModbusTag } from './encoding.ts';
import type { ModbusConnection } from './link.ts';

/** A Modbus tag as created by the admin API, with defaults filled in. */
export function modbusTag(path: string, source: object, rest: object = {}): ModbusTag {
  const whole = { provider: 'modbus', connection: 'plc', ...source };
  return tagDefinition.parse({ path, type: 'number', writable: true, ...rest, source: whole }) as ModbusTag;
}

export function modbusConnection(port: number, timeout = 0.3): ModbusConnection {
  const settings = connectionSettings.parse({ kind: 'modbus', host: '127.0.0.1', port, timeout });
  return { ...settings, id: 'plc' } as ModbusConnection;
}

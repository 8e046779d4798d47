import { connectionSettings } from '#common/model/connection.ts';
import { tagDefinition } from '#common/model/tag.ts';
import type { MqttConnection } from './open-stream.ts';
import type { MqttTag } from './payload.ts';

/** An MQTT tag as created by the admin API, with defaults filled in. */
export function mqttTag(path: string, source: object, rest: object = {}): MqttTag {
  const whole = { provider: 'mqtt', connection: 'broker', ...source };
  return tagDefinition.parse({ path, type: 'number', writable: true, ...rest, source: whole }) as MqttTag;
}

export function mqttConnection(port: number, more: object = {}): MqttConnection {
  const settings = connectionSettings.parse({ kind: 'mqtt', host: '127.0.0.1', port, ...more });
  return { ...settings, id: 'broker' } as MqttConnection;
}

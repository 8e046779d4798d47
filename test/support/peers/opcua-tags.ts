import { type ConnectionOf, connectionSettings } from '#common/model/connection.ts';
import { type TagDefinition, tagDefinition } from '#common/model/tag.ts';

/** Settings and tags for a server of opcua-peer.ts, and a sink that records samples. */
export interface Heard {
  readonly value: unknown;
  readonly quality: string;
  readonly reason: string | null;
  readonly time: number;
}

export function opcuaSettings(port: number, more: Partial<ConnectionOf<'opcua'>> = {}): ConnectionOf<'opcua'> {
  const settings = connectionSettings.parse({ kind: 'opcua', host: '127.0.0.1', port, ...more });
  if (settings.kind !== 'opcua') throw new Error('no OPC UA settings');
  return settings;
}

/** A writable tag of the variable with this name, at the path of the same name. */
export function opcuaTag(
  id: string,
  more: { nodeId?: string; samplingInterval?: number; unit?: string } = {},
): TagDefinition {
  const { nodeId = `ns=1;s=${id}`, samplingInterval = 0.05, unit = '' } = more;
  const source = { provider: 'opcua', connection: 'plc', nodeId, samplingInterval };
  return tagDefinition.parse({ path: id, type: 'json', unit, writable: true, source });
}

/** The latest sample by path, and losses. */
export class Recorder {
  readonly latest = new Map<string, Heard>();
  readonly all: (Heard & { path: string })[] = [];
  readonly losses: { paths: string[]; reason: string }[] = [];

  sample(path: string, sample: Heard): void {
    this.latest.set(path, sample);
    this.all.push({ path, ...sample });
  }

  lost(paths: Iterable<string>, reason: string): void {
    const list = [...paths];
    this.losses.push({ paths: list, reason });
    for (const path of list) this.latest.set(path, { value: null, quality: 'bad', reason, time: Date.now() });
  }

  good(path: string): boolean {
    return this.latest.get(path)?.quality === 'good';
  }

  value(path: string): unknown {
    return this.latest.get(path)?.value;
  }

  reason(path: string): string {
    return this.latest.get(path)?.reason ?? '';
  }
}

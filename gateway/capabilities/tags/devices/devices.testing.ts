import { createLogger } from '#common/node/log.ts';
import type { ConnectionOf } from '#common/model/connection.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import { TargetGuard } from '#net/target-guard.ts';
import type { TagProvider } from '../contract.ts';
import { recordTags, type TagRecorder } from '../testing/tag-recorder.ts';
import type { DeviceKind } from '../providers.ts';
import { DeviceDrivers, type DriversParts } from './device-drivers.ts';

export interface Devices extends AsyncDisposable {
  readonly drivers: DeviceDrivers;
  /** Everything that was logged, as text. */
  readonly lines: string[];
  provide<K extends DeviceKind>(
    connection: ConnectionOf<K> & { id: string },
    tags: readonly TagDefinition[],
    project?: string,
  ): { sink: TagRecorder; provider: TagProvider };
}

export const HOSTILE = new URL('./hostile-drivers.testing.ts', import.meta.url).href;

/** Drivers in their thread, with providers whose sinks record all reports. */
export function openDevices(parts: Partial<DriversParts> = {}): Devices {
  const lines: string[] = [];
  const log = createLogger('test', (line) => void lines.push(line));
  const dataDir = parts.dataDir ?? '/nonexistent';
  const drivers = new DeviceDrivers({ dataDir, log, allowed: [], ...parts });
  const open: TagProvider[] = [];
  return {
    drivers,
    lines,
    provide(connection, tags, project = 'p') {
      const sink = recordTags();
      // Allows nothing: only the thread's own guard counts here.
      const provider = make(drivers, connection, {
        project,
        sink,
        log,
        guard: new TargetGuard([]),
        dataDir,
      });
      open.push(provider);
      provider.configure(tags);
      return { sink, provider };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((provider) => provider.close()));
      await drivers.close();
    },
  };
}

function make(
  { providers }: DeviceDrivers,
  connection: ConnectionOf<DeviceKind> & { id: string },
  parts: Parameters<NonNullable<DeviceDrivers['providers']['mqtt']>>[1],
): TagProvider {
  const made =
    connection.kind === 'opcua'
      ? providers.opcua?.(connection, parts)
      : connection.kind === 'modbus'
        ? providers.modbus?.(connection, parts)
        : providers.mqtt?.(connection, parts);
  if (made === undefined) throw new Error('no provider');
  return made;
}

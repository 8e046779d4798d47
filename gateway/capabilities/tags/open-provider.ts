import type { ConnectionSettings } from '#common/model/connection.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import type { TagSource } from '#common/model/tag.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import type { ProviderParts, TagProvider } from './contract.ts';
import { createMemoryProvider } from './memory/memory-provider.ts';
import type { Opened } from './provider-slot.ts';
import type { DeviceParts, DeviceProviders, TagDisk } from './providers.ts';
import { createSimulator } from './simulator/simulator-provider.ts';

export interface OpenParts {
  readonly dataDir: string;
  readonly guard: TargetGuard;
  readonly disk: TagDisk;
  readonly providers: DeviceProviders;
}

/** The provider for a source, or one sentence why there is none. */
export function openProvider(
  { dataDir, guard, disk, providers }: OpenParts,
  source: TagSource,
  connections: ProjectResources['connections'],
  parts: ProviderParts,
): Opened {
  if (source.provider === 'memory') return createMemoryProvider(dataDir, { ...parts, disk });
  if (source.provider === 'simulator') return createSimulator(parts);
  const { provider, connection: id } = source;
  const connection = connections.find((one) => one.id === id);
  if (connection === undefined) return { missing: `there is no connection "${id}"` };
  const { settings } = connection;
  if (settings.kind !== provider)
    return { missing: `the connection "${id}" is of the kind ${settings.kind}; expected ${provider}` };
  const opened = makeDevice(providers, id, settings, { ...parts, guard, dataDir });
  return opened ?? { missing: `there is no provider for ${provider}` };
}

function makeDevice(
  { opcua, modbus, mqtt }: DeviceProviders,
  id: string,
  settings: ConnectionSettings,
  parts: DeviceParts,
): TagProvider | undefined {
  switch (settings.kind) {
    case 'opcua':
      return opcua?.({ ...settings, id }, parts);
    case 'modbus':
      return modbus?.({ ...settings, id }, parts);
    case 'mqtt':
      return mqtt?.({ ...settings, id }, parts);
    default:
      return undefined;
  }
}

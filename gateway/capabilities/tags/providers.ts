import type { ConnectionOf } from '#common/model/connection.ts';
import type { TagSource } from '#common/model/tag.ts';
import type { TargetGuard } from '#net/target-guard.ts';
import type { DiskRoom } from '../disk-meter.ts';
import type { ProviderParts, TagProvider } from './contract.ts';

/** For values that are stored. */
export type TagDisk = Pick<DiskRoom, 'expectRoom' | 'grew'>;

/** Providers that reach a device by a connection of the project. */
export type DeviceKind = Extract<TagSource, { connection: string }>['provider'];

/** The settings of a connection with its ID. Secrets are unencrypted: never logged, never part of a reason. */
export type DeviceConnection<K extends DeviceKind> = ConnectionOf<K> & { readonly id: string };

export interface DeviceParts extends ProviderParts {
  readonly guard: TargetGuard;
  readonly dataDir: string;
}

/**
 * Creates the provider of one connection. Called again when the settings of the connection change; the old provider is
 * then closed.
 */
export type MakeDeviceProvider<K extends DeviceKind> = (
  connection: DeviceConnection<K>,
  parts: DeviceParts,
) => TagProvider;

export type DeviceProviders = { readonly [K in DeviceKind]?: MakeDeviceProvider<K> };

import type { NodeCode } from '#common/errors/node-codes.ts';
import type { ConnectionTest } from '#common/control/messages.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import type { LogFields, LogLevel } from '#common/node/log.ts';
import type { Sample } from '../contract.ts';
import type { SendBefore } from '../send-before.ts';
import type { DeviceConnection, DeviceKind } from '../providers.ts';

export type AnyDevice = { [K in DeviceKind]: DeviceConnection<K> }[DeviceKind];

export interface DeviceThreadOptions {
  readonly dataDir: string;
  /** Allowed internal targets in the setting when the thread starts. */
  readonly allowed: readonly string[];
  /** A module with other `drivers`, for tests; null: the real ones. */
  readonly driversUrl: string | null;
  /** Folder of the compile cache; null: no cache. */
  readonly compileCache: string | null;
}

/** Orders to the thread. `id` names a provider; a number is never reused. */
export type Order =
  | { readonly do: 'open'; readonly id: number; readonly project: string; readonly device: AnyDevice }
  | { readonly do: 'configure'; readonly id: number; readonly version: number; readonly tags: readonly TagDefinition[] }
  | {
      readonly do: 'write';
      readonly id: number;
      readonly write: number;
      readonly tag: TagDefinition;
      readonly value: unknown;
      readonly sendBefore: SendBefore;
    }
  | { readonly do: 'cancel'; readonly write: number }
  | { readonly do: 'close'; readonly id: number }
  | { readonly do: 'probe'; readonly probe: number; readonly device: AnyDevice }
  | { readonly do: 'settings'; readonly change: number; readonly allowed: readonly string[] };

/**
 * Each side sends one batch at a time, and the next once it was `taken`, so that waiting messages stay with the sender,
 * which limits them. An empty batch of orders requests a heartbeat.
 */
export type ToThread =
  | { readonly kind: 'orders'; readonly orders: readonly Order[] }
  | { readonly kind: 'taken' }
  | { readonly kind: 'end' };

/** `version` is that of the last `configure` that the provider has received. */
export type News =
  | { readonly id: number; readonly version: number; readonly path: string; readonly sample: Sample }
  | { readonly id: number; readonly version: number; readonly path: string; readonly lost: string };

export interface WireError {
  readonly code: NodeCode;
  readonly message: string;
}

export type Answer =
  | { readonly to: 'write'; readonly write: number; readonly error: WireError | null }
  | { readonly to: 'close'; readonly id: number }
  | { readonly to: 'settings'; readonly change: number }
  | { readonly to: 'probe'; readonly probe: number; readonly test: ConnectionTest }
  | { readonly to: 'probe'; readonly probe: number; readonly failed: string };

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  /** Cleaned: no secrets, plain JSON. */
  readonly fields: LogFields;
}

export interface Report {
  readonly news: readonly News[];
  readonly answers: readonly Answer[];
  readonly lines: readonly LogLine[];
}

export type FromThread =
  { readonly kind: 'ready' } | { readonly kind: 'taken' } | ({ readonly kind: 'report' } & Report);

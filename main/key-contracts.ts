import type { Snapshot } from '#common/control/messages.ts';
import type { KeyLimits } from '#common/model/key-limits.ts';
import type { KeyExposure, KeyPause, KeyRecord } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';

export interface LimitsHold {
  /** False after `release`. */
  held(): boolean;
  release(): void;
}

export interface KeyStore {
  list(project?: string): KeyRecord[];
  get(keyId: string): KeyRecord | null;
  /** Stores and returns the value once. Throws SluiceError `conflict` if the name is taken in the project. */
  create(input: {
    project: string;
    name: string;
    scopes: Scope[];
    /** None if absent. */
    limits?: KeyLimits;
    /** False if absent. */
    honey?: boolean;
    /** Paused from the beginning. */
    paused?: KeyPause | null;
    by: string;
  }): Promise<{ value: string; record: KeyRecord }>;
  /** Replaces the limits. Throws SluiceError `unknown`, `conflict` for a revoked key, `invalid` for a scope it lacks. */
  limit(keyId: string, limits: KeyLimits): Promise<KeyRecord>;
  /** Throws as `limit` does. Changes nothing. */
  checkLimits(keyId: string, limits: KeyLimits): void;
  /** The key has no wider limits than these from now on, before `narrow` has saved them. Throws SluiceError `unknown`. */
  holdLimits(keyId: string, limits: KeyLimits): LimitsHold;
  /** Saves the lists that widen nothing. Throws SluiceError `unknown`. */
  narrow(keyId: string, limits: KeyLimits): Promise<void>;
  /** Shows the key as revoked from now on, before `revoke` has saved it. Throws SluiceError `unknown`. */
  holdRevoked(keyId: string, by: string): void;
  /** Reverses `holdRevoked`. */
  releaseRevoked(keyId: string): void;
  revoke(keyId: string, by: string): Promise<KeyRecord>;
  /** Throws SluiceError `unknown`, `conflict` for a revoked key. */
  checkPausable(keyId: string): void;
  /** Refuses the key from now on, before `pause` has saved it. */
  holdPaused(keyId: string, pause: KeyPause): void;
  /** False once it is saved, or another pause or a resumption has replaced it. */
  isPauseHeld(keyId: string, pause: KeyPause): boolean;
  /** Reverses `holdPaused`. */
  releasePaused(keyId: string, pause: KeyPause): void;
  /** The first pause of a paused key is kept. */
  pause(keyId: string, pause: KeyPause): Promise<void>;
  /** Throws SluiceError `unknown`, `conflict` for a revoked key. */
  resume(keyId: string): Promise<KeyRecord>;
  /**
   * Marks a key as exposed; a mark is kept, but that of a honey key is replaced. It applies also if it cannot be saved.
   * False: nothing was marked.
   */
  expose(keyId: string, exposure: KeyExposure): Promise<boolean>;
  /** The successor, named "name (2)", "name (3)" …, with the same scopes and limits. */
  rotate(keyId: string, by: string, paused?: KeyPause | null): Promise<{ value: string; record: KeyRecord }>;
  /** For a new project, which must not get the revoked keys of a deleted one with the same ID. */
  forgetRevoked(project: string): Promise<void>;
  /** For the gateway's snapshot. */
  entries(): Snapshot['keys'];
  entry(keyId: string): Snapshot['keys'][number] | null;
}

import { apiKeyId } from '#common/api-key.ts';
import type { KeyEntry } from '#common/control/messages.ts';
import type { KeyLimits } from '#common/model/key-limits.ts';
import type { Caller } from '#common/model/message.ts';
import { createKeyHasher, hashesEqual, KEY_HASH_BYTES, type KeyHasher } from '#common/node/key-hash.ts';
import { type ScopeMask, scopeMask } from '#common/scopes.ts';
import { type HeldLimits, heldLimits } from '../capabilities/limits.ts';
import { KeyThings } from './key-things.ts';
import { KeyUses } from './key-uses.ts';
import { KeyCounters } from '../traffic/key-counters.ts';

/** A key as the request path holds it: never its value. */
export interface HeldKey extends HeldLimits {
  readonly id: string;
  readonly hash: Buffer;
  readonly project: string;
  readonly name: string;
  readonly scopes: ScopeMask;
  /** The caller in messages; shared by all requests of the key. */
  readonly caller: Caller;
  readonly traffic: KeyCounters;
  readonly ofFleet: boolean;
  revoked: boolean;
  /** The reason; null = not paused. */
  paused: string | null;
  readonly honey: boolean;
  readonly uses: KeyUses;
  readonly things: KeyThings;
}

export type KeyVerdict =
  | { readonly ok: true; readonly key: HeldKey }
  | {
      readonly ok: false;
      readonly cause: 'key_malformed' | 'key_unknown' | 'key_revoked' | 'keys_unconfirmed' | 'fleet_returning';
      /** The presented key, if it is one of this gateway. The journal names it; it gives no rights. */
      readonly key: HeldKey | null;
      /** A honey key: to callers and in the row it is unknown. */
      readonly honey?: HeldKey;
    };

const NO_HASH = Buffer.alloc(KEY_HASH_BYTES);
const UNKNOWN = { ok: false, cause: 'key_unknown', key: null } as const;
const MALFORMED: KeyVerdict = { ok: false, cause: 'key_malformed', key: null };

/**
 * All keys that the gateway knows, including revoked ones, so that the journal can distinguish them from unknown ones.
 */
export class KeyRing {
  readonly #keys = new Map<string, HeldKey>();
  readonly #hash: KeyHasher;
  readonly #fleetHash: KeyHasher | null;
  /** True while an older vault waits for an Administrator (docs/spec/storage.md#an-older-vault): no key is accepted. */
  refuseAll = false;
  /** True while an edge takes up what its hub revoked meanwhile: no key of the fleet is accepted. */
  refuseFleet = false;

  /** `fleetPepper`: null if this machine is in no fleet; then no key of a fleet matches. */
  constructor(pepper: Buffer, fleetPepper: Buffer | null = null) {
    this.#hash = createKeyHasher(pepper);
    this.#fleetHash = fleetPepper && createKeyHasher(fleetPepper);
  }

  put(entry: KeyEntry): void {
    const known = this.#keys.get(entry.id);
    const caller = Object.freeze({ keyId: entry.id, name: entry.name, scopes: Object.freeze([...entry.scopes]) });
    const hash = Buffer.from(entry.hash, 'hex');
    const key: HeldKey = {
      id: entry.id,
      hash,
      project: entry.project,
      name: entry.name,
      scopes: scopeMask(entry.scopes),
      caller,
      traffic: known?.traffic ?? new KeyCounters(entry.id),
      ofFleet: entry.ofFleet === true,
      revoked: entry.revoked,
      paused: entry.paused,
      honey: entry.honey,
      uses: known?.uses ?? new KeyUses(),
      things: known?.things ?? new KeyThings(),
      ...heldLimits(entry.limits),
    };
    // In the record itself, as limits: runs under way hold it, and a hub assigns the same key again and again.
    if (known) Object.assign(known, key);
    else this.#keys.set(entry.id, key);
  }

  /** Requests that already hold the key are also affected, because the record itself is marked. */
  revoke(keyId: string): void {
    const key = this.#keys.get(keyId);
    if (key) key.revoked = true;
  }

  /** In the record itself, so that runs under way have the new limits at their next capability call. */
  limit(keyId: string, limits: KeyLimits): void {
    const key = this.#keys.get(keyId);
    if (key) Object.assign(key, heldLimits(limits));
  }

  /** `reason` null: resumed. In the record itself, as a revocation. */
  pause(keyId: string, reason: string | null): void {
    const key = this.#keys.get(keyId);
    if (key) key.paused = reason;
  }

  /** The things that the key used; null: there is no such key. */
  things(keyId: string): KeyThings | null {
    return this.#keys.get(keyId)?.things ?? null;
  }

  verify(value: string): KeyVerdict {
    const id = apiKeyId(value);
    if (id === null) return MALFORMED;
    const key = this.#keys.get(id);
    const hash = key?.ofFleet === true ? this.#fleetHash : this.#hash;
    // Also without such a key: an unknown one must not be refused faster.
    const isRight = hashesEqual((hash ?? this.#hash)(value), key?.hash ?? NO_HASH);
    if (!key || !hash || !isRight) return UNKNOWN;
    if (key.honey && !key.revoked) return { ...UNKNOWN, honey: key };
    if (key.revoked) return { ok: false, cause: 'key_revoked', key };
    if (this.refuseAll) return { ok: false, cause: 'keys_unconfirmed', key };
    if (this.refuseFleet && key.ofFleet) return { ok: false, cause: 'fleet_returning', key };
    return { ok: true, key };
  }
}

import { networkInterfaces } from 'node:os';
import { KEY_CHARS, maskKeysInPath } from '#common/api-key.ts';
import { clip } from '#common/clip.ts';
import type { KeySighting } from '#common/control/messages.ts';
import type { SightingKind } from '#common/model/records.ts';
import { AddressSet } from './address.ts';
import type { KeyUses } from './key-uses.ts';
import type { HeldKey, KeyRing } from './keys.ts';

/** A key that was used from one address this often is expected from no other. */
export const USUAL_CALLS = 1_000;
/** Uses of one honey key that are reported: the first, and one a minute. */
const HONEY_MS = 60_000;
/** Bytes at the start of a body that are searched. */
export const SEARCHED_BYTES = 64 * 1024;
/** Texts of one request that look like a key and are compared with the keys. */
const COMPARED_MAX = 4;
const BASIC = /^Basic ([A-Za-z0-9+/]{20,1024}={0,2})$/i;
const NETWORKS_MS = 60_000;
const PATH_CHARS_MAX = 200;
const METHOD_CHARS_MAX = 20;

const PREFIX = 'slc_';
const PREFIX_BYTES = Buffer.from(PREFIX);

/** The request in which a key was seen; its path is masked before it is reported. */
export interface KeyPlace {
  readonly ip: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Notices keys at places where they can be read or are not expected (docs/spec/keys.md#exposed-keys), and uses of honey
 * keys. Reports each kind once for a key; never the value.
 */
export class KeyWatch {
  readonly #tell: (sighting: KeySighting) => void;
  readonly #look: typeof networkInterfaces;
  #networks = new AddressSet([]);
  #lookedMs = -Infinity;

  constructor(tell: (sighting: KeySighting) => void, look = networkInterfaces) {
    this.#tell = tell;
    this.#look = look;
  }

  /** A valid key in its header. `isPlain`: over HTTP, directly from this address. */
  used(key: HeldKey, isPlain: boolean, place: KeyPlace): void {
    const { uses } = key;
    uses.first ??= place.ip;
    if (uses.first !== place.ip) this.#usedElsewhere(key, place);
    else uses.calls += 1;
    if (isPlain && !uses.reported.includes('plain_http') && !this.#isNear(uses, place.ip))
      this.#report(key, 'plain_http', place);
  }

  #usedElsewhere(key: HeldKey, place: KeyPlace): void {
    const { uses } = key;
    if (!uses.several && uses.calls >= USUAL_CALLS) this.#report(key, 'second_host', place);
    uses.several = true;
  }

  /** `key` was presented. Reported later, so that the refusal takes as long as that of an unknown key. */
  honey(key: HeldKey, place: KeyPlace): void {
    const nowMs = performance.now();
    if (nowMs - key.uses.honeyMs < HONEY_MS) return;
    key.uses.honeyMs = nowMs;
    setImmediate(() => this.#tell(sighting(key, 'honey', place)));
  }

  /** Keys in a text of the request, such as its query. */
  inText(keys: KeyRing, text: string, how: SightingKind, place: KeyPlace): void {
    let at = text.indexOf(PREFIX);
    for (let n = 0; at !== -1 && n < COMPARED_MAX; n++) {
      this.#compare(keys, text.slice(at, at + KEY_CHARS), how, place);
      at = text.indexOf(PREFIX, at + PREFIX.length);
    }
  }

  /** `Basic` is decoded; a scheme is not required. */
  inAuthorization(keys: KeyRing, value: string, place: KeyPlace): void {
    this.inText(keys, value, 'authorization', place);
    const encoded = BASIC.exec(value)?.[1];
    if (encoded !== undefined)
      this.inText(keys, Buffer.from(encoded, 'base64').toString('latin1'), 'authorization', place);
  }

  inBody(keys: KeyRing, body: Buffer, place: KeyPlace): void {
    const searched = body.subarray(0, SEARCHED_BYTES);
    const at = searched.indexOf(PREFIX_BYTES);
    if (at !== -1) this.inText(keys, searched.toString('latin1', at), 'body', place);
  }

  #compare(keys: KeyRing, value: string, how: SightingKind, place: KeyPlace): void {
    const verdict = keys.verify(value);
    if (verdict.ok) this.#report(verdict.key, how, place);
  }

  #report(key: HeldKey, how: SightingKind, place: KeyPlace): void {
    const { uses } = key;
    if (uses.reported.includes(how)) return;
    uses.reported = [...uses.reported, how];
    this.#tell(sighting(key, how, place));
  }

  #isNear(uses: KeyUses, ip: string): boolean {
    if (uses.first !== ip) return this.#isInOwnNetwork(ip);
    uses.isFirstNear ??= this.#isInOwnNetwork(ip);
    return uses.isFirstNear;
  }

  /** The interfaces of this PC can change. */
  #isInOwnNetwork(ip: string): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#lookedMs >= NETWORKS_MS) {
      const all = Object.values(this.#look()).flatMap((addresses) => addresses ?? []);
      this.#networks = new AddressSet(all.flatMap(({ cidr }) => (cidr === null ? [] : [cidr])));
      this.#lookedMs = nowMs;
    }
    return this.#networks.has(ip);
  }
}

function sighting({ id }: HeldKey, how: SightingKind, { ip, method, path }: KeyPlace): KeySighting {
  const shown = clip(maskKeysInPath(path), PATH_CHARS_MAX);
  return { keyId: id, how, ip, method: clip(method, METHOD_CHARS_MAX), path: shown, at: new Date().toISOString() };
}

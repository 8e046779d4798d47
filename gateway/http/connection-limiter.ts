import { sourceBlock, sourceNetwork } from '#common/cidr.ts';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { AddressSet } from '../gates/address.ts';
import { KnownSources } from './known-sources.ts';
import { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_MAX, HALF_OPEN_LOOKED_AT, REFUSED_HANDSHAKES_MAX } from './limits.ts';

/** An accepted socket, whatever it has said so far. */
export interface LimitedConnection {
  readonly peer: string;
  /** It was refused, and only waits for its end. */
  readonly answered: boolean;
  /** Its next step is the caller's, or it waits to be told a refusal: it may be ended without anything being lost here. */
  readonly waits: boolean;
  /** Nothing whole has been asked over it yet. */
  readonly halfOpen: boolean;
  /** A valid key was shown over it. */
  readonly keyed: boolean;
  /** Since when it is a kept connection between two requests; null: it is not. */
  readonly idleSinceMs: number | null;
  destroy(): void;
  /** Ends it for another one, and records that. */
  makeRoom(): void;
}

export type Cap = 'connections' | 'connections_per_address';
export const CAP_CODE = 'overloaded' satisfies ErrorCode;

/**
 * Every accepted socket of every listener, TLS handshakes included, against the caps
 * (docs/spec/requests.md#connections): 4,000 in all, 256 per address, or /64 of IPv6 (trusted proxies exempt). Beyond
 * the cap of its address, the connection of it that has been idle longest is closed; its caller opens a new one when it
 * needs it. A TLS socket beyond a cap can be told so only after its handshake; `crowded` bounds how many may get that
 * far.
 *
 * When all places are taken, one connection is closed for the new one, strangers first: anybody can have addresses, but
 * not a valid key. The order: one without a request so far, of the network (/24, /64) with most of those; one that is
 * idle and has shown no key; one of the address with most connections, if it has more than the new one's. A connection
 * that has shown a key is closed only for an address that has shown one lately.
 */
export class ConnectionLimiter {
  readonly #known = new KnownSources();
  readonly #perBlock = new Map<string, Set<LimitedConnection>>();
  /** In the order in which they came. Those that have asked something by now, or are known, are dropped when they are met. */
  readonly #halfOpen = new Set<LimitedConnection>();
  readonly #halfOpenOf = new Map<string, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Takes the guest in. Answers with the cap that it is beyond. */
  enter(guest: LimitedConnection, trustedProxies: AddressSet): Cap | null {
    this.#count += 1;
    const block = sourceBlock(guest.peer);
    const ofBlock = this.#perBlock.get(block) ?? new Set();
    this.#perBlock.set(block, ofBlock.add(guest));
    const exempt = trustedProxies.has(guest.peer);
    if (this.#count > CONNECTIONS_MAX && !this.#makeRoom(block, ofBlock, trustedProxies)) return 'connections';
    if (!exempt) this.#waitForWord(guest);
    if (ofBlock.size <= CONNECTIONS_PER_ADDRESS_MAX || exempt) return null;
    // A refused socket lingers so that its caller can read the answer; it must not cost that caller its next call.
    const spare = ofBlock.values().find((other) => other.answered) ?? longestIdle(ofBlock);
    if (!spare) return 'connections_per_address';
    this.#end(spare);
    return null;
  }

  #makeRoom(block: string, newcomers: ReadonlySet<LimitedConnection>, exempt: AddressSet): boolean {
    const stranger = this.#silentStranger();
    if (stranger) {
      this.#turnOut(stranger);
      return true;
    }
    const known = this.#known.has(block) || newcomers.values().some(({ keyed }) => keyed);
    const idle = longestIdle(this.#all(exempt), (guest) => !guest.keyed);
    if (idle) {
      this.#end(idle);
      return true;
    }
    return this.#fromBusiest(newcomers.size, exempt, known);
  }

  /** Of those that came first and have asked nothing yet, one of the network that has most of them. */
  #silentStranger(): LimitedConnection | null {
    let found: LimitedConnection | null = null;
    let most = 0;
    let looked = 0;
    for (const guest of this.#halfOpen) {
      // Those of known addresses too: newcomers must not look at them one after the other each time.
      if (!guest.halfOpen || !guest.waits || this.#known.has(sourceBlock(guest.peer))) {
        this.#heard(guest);
        continue;
      }
      const count = this.#halfOpenOf.get(sourceNetwork(guest.peer)) ?? 0;
      if (count > most) {
        found = guest;
        most = count;
      }
      looked += 1;
      if (looked === HALF_OPEN_LOOKED_AT) break;
    }
    return found;
  }

  /** Whoever fills the gateway shuts out itself. A trusted proxy's are those of many callers. */
  #fromBusiest(newcomers: number, exempt: AddressSet, mayTakeKeyed: boolean): boolean {
    let most: Set<LimitedConnection> | null = null;
    for (const ofBlock of this.#perBlock.values())
      if (ofBlock.size > Math.max(newcomers, most?.size ?? 0) && !isExempt(ofBlock, exempt)) most = ofBlock;
    const mayGo = (guest: LimitedConnection): boolean => mayTakeKeyed || !guest.keyed;
    const idle = longestIdle(most ?? (mayTakeKeyed ? this.#all(exempt) : []), mayGo);
    if (idle) {
      this.#end(idle);
      return true;
    }
    const longest = most?.values().find((guest) => guest.waits && mayGo(guest));
    if (longest) this.#turnOut(longest);
    return longest !== undefined;
  }

  *#all(exempt: AddressSet): Iterable<LimitedConnection> {
    for (const ofBlock of this.#perBlock.values()) if (!isExempt(ofBlock, exempt)) yield* ofBlock;
  }

  /** Whether a guest beyond this cap is one too many even to be told so over TLS. */
  crowded(cap: Cap, guest: LimitedConnection): boolean {
    if (cap === 'connections') return this.#count > CONNECTIONS_MAX + REFUSED_HANDSHAKES_MAX;
    const ofBlock = this.#perBlock.get(sourceBlock(guest.peer))?.size ?? 0;
    return ofBlock > CONNECTIONS_PER_ADDRESS_MAX + REFUSED_HANDSHAKES_MAX;
  }

  leave(guest: LimitedConnection): void {
    this.#count -= 1;
    const block = sourceBlock(guest.peer);
    if (guest.keyed) this.#known.note(block);
    this.#forget(guest);
  }

  #waitForWord(guest: LimitedConnection): void {
    const network = sourceNetwork(guest.peer);
    this.#halfOpen.add(guest);
    this.#halfOpenOf.set(network, (this.#halfOpenOf.get(network) ?? 0) + 1);
  }

  #heard(guest: LimitedConnection): void {
    if (!this.#halfOpen.delete(guest)) return;
    const network = sourceNetwork(guest.peer);
    const left = (this.#halfOpenOf.get(network) ?? 0) - 1;
    if (left > 0) this.#halfOpenOf.set(network, left);
    else this.#halfOpenOf.delete(network);
  }

  /** It leaves by its socket's end; until then nobody may choose it again. */
  #forget(guest: LimitedConnection): void {
    this.#heard(guest);
    const block = sourceBlock(guest.peer);
    const ofBlock = this.#perBlock.get(block);
    ofBlock?.delete(guest);
    if (ofBlock?.size === 0) this.#perBlock.delete(block);
  }

  /** Closes an idle socket. No request is refused, so there is no journal row. */
  #end(guest: LimitedConnection): void {
    this.#forget(guest);
    guest.destroy();
  }

  #turnOut(guest: LimitedConnection): void {
    this.#forget(guest);
    guest.makeRoom();
  }
}

function isExempt(ofBlock: ReadonlySet<LimitedConnection>, exempt: AddressSet): boolean {
  const [one] = ofBlock;
  return one !== undefined && exempt.has(one.peer);
}

function longestIdle(
  guests: Iterable<LimitedConnection>,
  mayGo: (guest: LimitedConnection) => boolean = () => true,
): LimitedConnection | null {
  let longest: LimitedConnection | null = null;
  let sinceMs = Infinity;
  for (const guest of guests) {
    const { idleSinceMs } = guest;
    if (idleSinceMs === null || idleSinceMs >= sinceMs || !mayGo(guest)) continue;
    longest = guest;
    sinceMs = idleSinceMs;
  }
  return longest;
}

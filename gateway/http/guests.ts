import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { AddressSet } from '../gates/address.ts';
import { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_MAX, REFUSED_HANDSHAKES_MAX } from './limits.ts';

/** An accepted socket, whatever it has said so far. */
export interface Guest {
  readonly peer: string;
  /** It was refused, and only waits for its end. */
  readonly answered: boolean;
  /** Its next step is the caller's, or it waits to be told a refusal: it may be ended without anything being lost here. */
  readonly waits: boolean;
  /** Since when it is a kept connection between two requests; null: it is not. */
  readonly idleSinceMs: number | null;
  destroy(): void;
  /** Ends it for another one, and records that. */
  makeRoom(): void;
}

export type Cap = 'connections' | 'connections_per_address';
export const CAP_CODE = 'overloaded' satisfies ErrorCode;

/**
 * Every accepted socket of every listener, TLS handshakes included, against the caps of behaviour 1, step 0: 4,000 in
 * all, 256 per address (trusted proxies exempt). Beyond a cap, the connection that has been
 * idle longest is closed; its caller opens a new one when it needs it. A TLS socket beyond a cap can be told so only after its handshake;
 * `crowded` bounds how many may get that far.
 */
export class Guests {
  readonly #perAddress = new Map<string, Set<Guest>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Takes the guest in. Answers with the cap that it is beyond. */
  enter(guest: Guest, trustedProxies: AddressSet): Cap | null {
    this.#count += 1;
    const ofPeer = this.#perAddress.get(guest.peer) ?? new Set();
    this.#perAddress.set(guest.peer, ofPeer.add(guest));
    if (this.#count > CONNECTIONS_MAX && !this.#makeRoom(ofPeer.size, trustedProxies)) return 'connections';
    if (ofPeer.size <= CONNECTIONS_PER_ADDRESS_MAX || trustedProxies.has(guest.peer)) return null;
    // A refused socket lingers so that its caller can read the answer; it must not cost that caller its next call.
    const spare = ofPeer.values().find((other) => other.answered) ?? longestIdle(ofPeer);
    if (!spare) return 'connections_per_address';
    end(spare, ofPeer);
    return null;
  }

  /**
   * When all places are taken, the address with the most gives up the one that has waited for longest, if it has more
   * than the newcomer's: whoever fills the gateway shuts out itself. A trusted proxy's are those of many callers. Of all
   * others none is ended but an idle one.
   */
  #makeRoom(newcomers: number, exempt: AddressSet): boolean {
    let most: Set<Guest> | null = null;
    for (const [peer, ofPeer] of this.#perAddress)
      if (ofPeer.size > Math.max(newcomers, most?.size ?? 0) && !exempt.has(peer)) most = ofPeer;
    const idle = longestIdle(most ?? this.#all());
    if (idle) {
      end(idle, this.#perAddress.get(idle.peer));
      return true;
    }
    const longest = most?.values().find((guest) => guest.waits);
    if (!most || !longest) return false;
    // It leaves by its socket's end; until then nobody may choose it again.
    most.delete(longest);
    longest.makeRoom();
    return true;
  }

  *#all(): Iterable<Guest> {
    for (const ofPeer of this.#perAddress.values()) yield* ofPeer;
  }

  /** Whether a guest beyond this cap is one too many even to be told so over TLS. */
  crowded(cap: Cap, guest: Guest): boolean {
    if (cap === 'connections') return this.#count > CONNECTIONS_MAX + REFUSED_HANDSHAKES_MAX;
    const ofPeer = this.#perAddress.get(guest.peer)?.size ?? 0;
    return ofPeer > CONNECTIONS_PER_ADDRESS_MAX + REFUSED_HANDSHAKES_MAX;
  }

  leave(guest: Guest): void {
    this.#count -= 1;
    const ofPeer = this.#perAddress.get(guest.peer);
    ofPeer?.delete(guest);
    if (ofPeer?.size === 0) this.#perAddress.delete(guest.peer);
  }
}

function longestIdle(guests: Iterable<Guest>): Guest | null {
  let longest: Guest | null = null;
  let sinceMs = Infinity;
  for (const guest of guests) {
    const { idleSinceMs } = guest;
    if (idleSinceMs === null || idleSinceMs >= sinceMs) continue;
    longest = guest;
    sinceMs = idleSinceMs;
  }
  return longest;
}

/** Closes the socket and keeps it from being chosen again until then. No request is refused, so there is no journal row. */
function end(guest: Guest, ofPeer: Set<Guest> | undefined): void {
  ofPeer?.delete(guest);
  guest.destroy();
}

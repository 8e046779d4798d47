import { sourceBlock, sourceNetwork } from '#common/cidr.ts';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { AddressSet } from '../gates/address.ts';
import { KnownSources } from './known-sources.ts';
import {
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  HALF_OPEN_LOOKED_AT,
  REFUSED_HANDSHAKES_MAX,
  SILENT_ENDS,
} from './limits.ts';
import { PacedRefusals } from './paced-refusals.ts';

/** An accepted socket, whether or not it has sent a request. */
export interface LimitedConnection {
  readonly peer: string;
  /** Its request was refused; it is about to be closed. */
  readonly answered: boolean;
  /** The next step is up to the caller, or it is queued for a refusal, so it can be ended without loss. */
  readonly waits: boolean;
  /** No complete request has been received on it. */
  readonly halfOpen: boolean;
  /** A valid key was presented on it. */
  readonly keyed: boolean;
  /** Since when it has been idle between two requests; null: it is not idle. */
  readonly idleSinceMs: number | null;
  destroy(): void;
  /** Ends it in favour of another connection, and records that. */
  makeRoom(): void;
}

export type Cap = 'connections' | 'connections_per_address';
export const CAP_CODE = 'overloaded' satisfies ErrorCode;

/**
 * Counts every accepted socket of every listener, including TLS handshakes, against the connection limits
 * (docs/spec/requests.md#connections): 4,000 in total, 256 per address or IPv6 /64 (trusted proxies exempt). When an
 * address exceeds its limit, its connection that has been idle longest is closed; the caller can reconnect when needed.
 * A TLS socket over a limit can receive a refusal only after its handshake; `crowded` limits how many may get that far.
 *
 * When all places are taken, one connection is closed for the new one, starting with callers without a key: anyone can
 * have many addresses, but not a valid key. The order: a connection without a request so far, of the network (/24, /64)
 * with most of those; an idle one that has presented no key; one of the address with most connections, if it has more
 * than the new one's address. A connection that has presented a key is closed only for an address that has presented
 * one recently.
 *
 * A connection without a request is closed at a limited rate and does not count meanwhile: callers that connect again as
 * soon as they are closed would otherwise keep the gateway busy with accepting, and others would wait for that. If it
 * sends a request before its turn, it gets a place again.
 */
export class ConnectionLimiter {
  readonly #known = new KnownSources();
  readonly #perBlock = new Map<string, Set<LimitedConnection>>();
  /**
   * In order of arrival. Entries that have sent a request meanwhile, or are known, are removed when they are reached.
   */
  readonly #halfOpen = new Set<LimitedConnection>();
  readonly #halfOpenOf = new Map<string, number>();
  /** Connections that gave up their place and are closed in their turn. */
  readonly #leaving = new Map<LimitedConnection, () => void>();
  readonly #ends: PacedRefusals;
  #count = 0;

  constructor(ends = new PacedRefusals(undefined, SILENT_ENDS)) {
    this.#ends = ends;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a connection. Returns the limit that it exceeds. */
  enter(guest: LimitedConnection, trustedProxies: AddressSet): Cap | null {
    this.#count += 1;
    const exempt = trustedProxies.has(guest.peer);
    const ofBlock = this.#place(guest, trustedProxies);
    if (ofBlock === null) return 'connections';
    if (!exempt) this.#waitForWord(guest);
    if (ofBlock.size <= CONNECTIONS_PER_ADDRESS_MAX || exempt) return null;
    // A refused socket lingers so that its caller can read the response. It must not cost that caller its next call.
    const spare = ofBlock.values().find((other) => other.answered) ?? longestIdle(ofBlock);
    if (!spare) return 'connections_per_address';
    this.#end(spare);
    return null;
  }

  /** Adds it to its block. Null: all places are taken. */
  #place(guest: LimitedConnection, exempt: AddressSet): ReadonlySet<LimitedConnection> | null {
    const block = sourceBlock(guest.peer);
    const ofBlock = this.#perBlock.get(block) ?? new Set();
    this.#perBlock.set(block, ofBlock.add(guest));
    const isFull = this.#count - this.#leaving.size > CONNECTIONS_MAX;
    return isFull && !this.#makeRoom(block, ofBlock, exempt) ? null : ofBlock;
  }

  #makeRoom(block: string, newcomers: ReadonlySet<LimitedConnection>, exempt: AddressSet): boolean {
    const stranger = this.#silentStranger();
    if (stranger) {
      this.#turnOutLater(stranger, exempt);
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

  /** Among the earliest connections without a request, one of the network that has most of them. */
  #silentStranger(): LimitedConnection | null {
    let found: LimitedConnection | null = null;
    let most = 0;
    let looked = 0;
    for (const guest of this.#halfOpen) {
      // Removes those of known addresses too, so that new connections do not have to skip them one by one each time.
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

  /** A flooding client evicts only its own connections. Connections of a trusted proxy belong to many callers. */
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

  /** Whether a connection over this limit is too many even to be refused over TLS. */
  crowded(cap: Cap, guest: LimitedConnection): boolean {
    if (cap === 'connections') return this.#count > CONNECTIONS_MAX + REFUSED_HANDSHAKES_MAX;
    const ofBlock = this.#perBlock.get(sourceBlock(guest.peer))?.size ?? 0;
    return ofBlock > CONNECTIONS_PER_ADDRESS_MAX + REFUSED_HANDSHAKES_MAX;
  }

  leave(guest: LimitedConnection): void {
    this.#count -= 1;
    const block = sourceBlock(guest.peer);
    if (guest.keyed) this.#known.note(block);
    this.#stays(guest);
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

  /** It leaves when its socket ends. Until then it must not be chosen again. */
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

  #turnOutLater(guest: LimitedConnection, exempt: AddressSet): void {
    this.#forget(guest);
    const end = (): void => {
      this.#stays(guest);
      if (guest.halfOpen) guest.makeRoom();
      else if (this.#place(guest, exempt) === null && guest.waits) this.#turnOut(guest);
    };
    this.#leaving.set(guest, end);
    this.#ends.add(end);
  }

  #stays(guest: LimitedConnection): void {
    const end = this.#leaving.get(guest);
    if (!end) return;
    this.#leaving.delete(guest);
    this.#ends.remove(end);
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

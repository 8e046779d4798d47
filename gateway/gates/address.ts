import { BlockList } from 'node:net';
import { addressFamily, normaliseAddress, normaliseCidr, parseCidr } from '#common/cidr.ts';

const REMEMBERED_MAX = 1024;

/**
 * A set of address ranges, checked against normalized addresses. Results are cached, because the same callers return.
 */
export class AddressSet {
  /** One list per family: in a single list `::/0` would also match IPv4 addresses. */
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  readonly #remembered = new Map<string, boolean>();
  readonly size: number;

  /** Ranges that cannot be parsed throw: `net.BlockList` would silently return false for them. */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const cidr = parseCidr(range);
      if (!cidr) throw new RangeError(`"${range}" is not an address range`);
      const { address, prefix, family } = normaliseCidr(cidr);
      this.#lists[family].addSubnet(address, prefix, family);
    }
    this.size = ranges.length;
  }

  has(address: string): boolean {
    const known = this.#remembered.get(address);
    if (known !== undefined) return known;
    const family = addressFamily(address);
    const verdict = family !== null && this.#lists[family].check(address, family);
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    this.#remembered.set(address, verdict);
    return verdict;
  }
}

/**
 * The address that counts for a request: that of the peer or, behind a trusted proxy, the nearest address in
 * X-Forwarded-For that is not itself a trusted proxy. Null if a trusted proxy sent something that is not an address.
 */
export function sourceAddress(peer: string, forwardedFor: string, trusted: AddressSet): string | null {
  if (forwardedFor === '' || trusted.size === 0 || !trusted.has(peer)) return peer;
  const hops = forwardedFor.split(',').map((hop) => normaliseAddress(withoutPort(hop.trim())));
  for (const hop of hops.toReversed()) {
    if (addressFamily(hop) === null) return null;
    if (!trusted.has(hop)) return hop;
  }
  return hops[0] ?? peer;
}

/** Some proxies write `192.0.2.1:5678` and `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/;

function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}

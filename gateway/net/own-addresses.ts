import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Interfaces can change; listing them takes about 0.1 ms. */
const LOOK_MS = 5_000;

/**
 * Returns a function that checks whether an IP address belongs to this machine, according to its interfaces of the last
 * LOOK_MS.
 */
export function ownAddresses(look: typeof networkInterfaces = networkInterfaces): (address: string) => boolean {
  let own: ReadonlySet<string> = new Set();
  let lookedMs = -Infinity;
  return (address) => {
    const nowMs = performance.now();
    if (nowMs - lookedMs >= LOOK_MS) {
      own = addressesOf(look());
      lookedMs = nowMs;
    }
    return own.has(normalised(address));
  };
}

function addressesOf(interfaces: ReturnType<typeof networkInterfaces>): ReadonlySet<string> {
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  return new Set(all.map(({ address }) => normalised(address)));
}

/** Without the zone of an IPv6 address. */
function normalised(address: string): string {
  return ipaddr.parse(address.replace(/%.*$/, '')).toString();
}

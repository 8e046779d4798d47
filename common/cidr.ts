import ipaddr from 'ipaddr.js';

/** An address range. `family` and `prefix` are what `net.BlockList.addSubnet` takes. */
export interface Cidr {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/;

/** Parses `10.0.0.0/8`, `192.168.1.7`, `fd00::/8`; a bare address is a range of one. Null if the text is neither. */
export function parseCidr(text: string): Cidr | null {
  const [address = '', prefixText, extra] = text.split('/');
  if (extra !== undefined) return null;
  const family = addressFamily(address);
  if (family === null || address.endsWith('.')) return null;
  const bits = family === 'ipv4' ? 32 : 128;
  if (prefixText === undefined) return { address, prefix: bits, family };
  if (!/^\d{1,3}$/.test(prefixText) || Number(prefixText) > bits) return null;
  return { address, prefix: Number(prefixText), family };
}

/** The range in the form in which addresses are compared: `::ffff:10.0.0.0/104` is `10.0.0.0/8`. */
export function normaliseCidr(cidr: Cidr): Cidr {
  const address = normaliseAddress(cidr.address);
  if (cidr.family === 'ipv4' || address.includes(':')) return { ...cidr, address };
  return cidr.prefix >= 96 ? { address, prefix: cidr.prefix - 96, family: 'ipv4' } : cidr;
}

/** The form in which addresses are compared and recorded: `::ffff:a.b.c.d` becomes `a.b.c.d`, and a zone is removed. */
export function normaliseAddress(address: string): string {
  const bare = address.includes('%') ? address.slice(0, address.indexOf('%')) : address;
  if (bare.startsWith('::ffff:') && bare.includes('.')) return bare.slice(7);
  if (!bare.includes(':')) return bare;
  // The deprecated IPv4-compatible form is a different address; ipaddr.js would read it as an IPv4-mapped one.
  if (/^::\d+\./.test(bare)) return bare;
  if (!ipaddr.IPv6.isValid(bare)) return bare;
  const parsed = ipaddr.IPv6.parse(bare);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.toString();
}

export function addressFamily(address: string): 'ipv4' | 'ipv6' | null {
  if (IPV4.test(address) && !address.endsWith('.')) return 'ipv4';
  if (address.includes(':') && !address.includes('%') && ipaddr.IPv6.isValid(address)) return 'ipv6';
  return null;
}

/** The source that a rate limit counts: the address, or its /64 for IPv6. */
export function sourceBlock(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return parts.map((part) => part.toString(16)).join(':') + '::/64';
}

/** The network that counts as one source where a client can easily change its address: the /24, or the /64 for IPv6. */
export function sourceNetwork(address: string): string {
  if (addressFamily(address) !== 'ipv4') return sourceBlock(address);
  return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
}

/** True if every address of `inner` is in `outer`. An IPv4 range never contains IPv6 addresses, and vice versa. */
export function rangeInside(inner: string, outer: string): boolean {
  const small = parseCidr(inner);
  const large = parseCidr(outer);
  if (small === null || large === null || small.family !== large.family || small.prefix < large.prefix) return false;
  return leadingBits(small.address, large.prefix) === leadingBits(large.address, large.prefix);
}

function leadingBits(address: string, count: number): string {
  const bytes = ipaddr.parse(address).toByteArray();
  return bytes
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .slice(0, count);
}

import { lookup } from 'node:dns/promises';
import type { Duplex } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { NodeError } from '#sdk';
import { ownAddresses } from './own-addresses.ts';

/**
 * Addresses to which the gateway may connect (docs/spec/egress.md#addresses): never loopback, this machine's own,
 * link-local, unspecified or metadata addresses, nor their mapped, NAT64, 6to4, Teredo or ISATAP forms, unless
 * `host:port` is in the setting Allowed internal targets. Connections use the checked address: callers connect to
 * `address` and use `host` only for names (TLS, Host header).
 *
 * Security: every address of the name must pass, so that a name with one good and one bad address is refused. The
 * permission is not permanent: an open connection is registered (`hold`) and checked again with each change of the
 * list, with the addresses that its name had when it was opened.
 */
export interface Target {
  readonly host: string;
  readonly port: number;
  /** An IP address, checked. */
  readonly address: string;
  readonly family: 4 | 6;
  /** All addresses of the name, all of them checked; `address` is the first. */
  readonly addresses: readonly string[];
}

/** Resolves the addresses of a name, in the order in which to try them. Throws NodeError `target_unknown`. */
export type LookUp = (host: string) => Promise<readonly string[]>;

/** Addresses that provide the machine's credentials on several clouds, outside the link-local range. */
const METADATA = new Set([
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::23',
  'fd00:ec2::254',
  'fd20:ce::254',
]);
const REFUSED_RANGES = new Set(['loopback', 'linkLocal', 'unspecified', 'broadcast', 'multicast', 'reserved']);
const ADDRESSES_MAX = 32;

/** An open connection, and the function that ends it. */
interface Held {
  readonly target: Target;
  readonly refuse: (refusal: NodeError) => void;
}

export class TargetGuard {
  #allowed: ReadonlySet<string>;
  readonly #lookUp: LookUp;
  readonly #isOwn: (address: string) => boolean;
  readonly #held = new Set<Held>();

  /** `allowed`: `host:port` each, as in the setting. */
  constructor(allowed: readonly string[], lookUp: LookUp = addressesOf, isOwn = ownAddresses()) {
    this.#allowed = new Set(allowed.map((entry) => entry.toLowerCase()));
    this.#lookUp = lookUp;
    this.#isOwn = isOwn;
  }

  /**
   * Before this returns, every held connection that is no longer allowed has been refused; the others are not affected.
   */
  configure(allowed: readonly string[]): void {
    this.#allowed = new Set(allowed.map((entry) => entry.toLowerCase()));
    for (const held of this.#held) {
      if (this.#passes(held.target)) continue;
      this.#held.delete(held);
      held.refuse(refused(held.target.host, held.target.port));
    }
  }

  /**
   * Calls `refuse` once, with NodeError `target_refused`, when a change of the list refuses the target; call the
   * returned function when the connection is over. Throws NodeError `target_refused` if the target is refused already:
   * the list may have changed since it was resolved.
   */
  hold(target: Target, refuse: Held['refuse']): () => void {
    if (!this.#passes(target)) throw refused(target.host, target.port);
    const held = { target, refuse };
    this.#held.add(held);
    return () => void this.#held.delete(held);
  }

  /** Holds a socket until it is closed: its error is then the refusal. Throws like `hold`, and destroys it. */
  holdSocket(target: Target, socket: Duplex): void {
    // While it is passed from one owner to the next it may have no listener, and an unhandled error would end the
    // gateway.
    socket.on('error', () => undefined);
    try {
      socket.once(
        'close',
        this.hold(target, (refusal) => socket.destroy(refusal)),
      );
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Throws NodeError `target_refused`, `target_unknown`. */
  async resolve(host: string, port: number): Promise<Target> {
    const literal = literalOf(host);
    const addresses = literal === null ? await this.#lookUp(host) : [literal];
    const [first] = addresses;
    if (first === undefined) throw new NodeError('target_unknown', `the name ${host} has no address`);
    if (!this.#passes({ host, port, addresses })) throw refused(host, port);
    return { host, port, address: first, family: ipaddr.parse(first).kind() === 'ipv4' ? 4 : 6, addresses };
  }

  /** Checks a literal IP address without DNS; a name passes. Throws NodeError `target_refused`. */
  refuseLiteral(host: string, port: number): void {
    const literal = literalOf(host);
    if (literal === null || isPublicEnough(literal, this.#isOwn)) return;
    if (!this.#lists(host, port) && !this.#lists(literal, port)) throw refused(host, port);
  }

  #passes({ host, port, addresses }: Pick<Target, 'host' | 'port' | 'addresses'>): boolean {
    if (this.#lists(host, port)) return true;
    return addresses.every((address) => isPublicEnough(address, this.#isOwn) || this.#lists(address, port));
  }

  #lists(host: string, port: number): boolean {
    const name = host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host;
    return this.#allowed.has(`${name.toLowerCase()}:${port}`);
  }
}

/** The forms that a connect call accepts as an address without DNS (`127.1`, `0x7f.1`, `2130706433`). */
function literalOf(host: string): string | null {
  const bare = host.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(bare)) return null;
  const parsed = ipaddr.parse(bare);
  return parsed.toString();
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    const found = await lookup(host, { all: true, verbatim: true });
    return found.slice(0, ADDRESSES_MAX).map(({ address }) => address);
  } catch (cause) {
    throw new NodeError('target_unknown', `the name ${host} cannot be resolved`, { cause });
  }
}

/**
 * False for addresses that docs/spec/egress.md#addresses refuses, including `isOwn`. Private ranges are the plant's own
 * network and pass.
 */
export function isPublicEnough(address: string, isOwn: (address: string) => boolean): boolean {
  const parsed = ipaddr.parse(address);
  if (isOwn(address)) return false;
  const inner = embedded(parsed);
  if (inner !== null) return isPublicEnough(inner.toString(), isOwn);
  if (METADATA.has(parsed.toString())) return false;
  return !REFUSED_RANGES.has(parsed.range());
}

/** The IPv4 address inside a mapped, NAT64, 6to4, Teredo, ISATAP or IPv4-compatible one. */
function embedded(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | null {
  if (!(address instanceof ipaddr.IPv6)) return null;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  const last = new ipaddr.IPv4(bytes.slice(12));
  const range = address.range();
  if (range === 'rfc6052' || range === 'rfc6145') return last;
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  // RFC 4380, 4: the client's address, each bit inverted.
  if (range === 'teredo') return new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
  if (isIsatap(bytes)) return last;
  const compatible = bytes.slice(0, 12).every((byte) => byte === 0) && bytes.slice(12, 15).some((byte) => byte !== 0);
  return compatible ? last : null;
}

/** RFC 5214, 6.1: the interface identifier 0000:5EFE or 0200:5EFE and an IPv4 address. */
function isIsatap(bytes: readonly number[]): boolean {
  const [first = 0, ...others] = bytes.slice(8, 12);
  return (first & 0xfd) === 0 && others.join(' ') === '0 94 254';
}

function refused(host: string, port: number): NodeError {
  return new NodeError(
    'target_refused',
    `${host}:${port} is an address of this machine or its network link; allow it with the setting "allowed internal targets"`,
  );
}

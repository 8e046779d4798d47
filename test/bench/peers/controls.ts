import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';

/**
 * The controls that Express and Fastify have no well-kept plugin for, written once and lent to both: a hashed key
 * (HMAC-SHA-256 by id, compared in constant time), its scopes, and a CIDR list. What the bench hands over is JSON in
 * `BENCH_CONFIG`.
 */
export interface PeerConfig {
  /** Hex, 32 bytes. */
  pepper: string;
  keys: { id: string; hash: string; scopes: string[] }[];
  requiredScopes: string[];
  allowedIps: { address: string; prefix: number; family: 'ipv4' | 'ipv6' }[];
  allowedOrigins: string[];
  headerWhitelist: string[];
  rateLimit: number;
  maxPayloadBytes: number;
  /** Where the journal is kept; null = none. */
  journalFolder: string | null;
}

export function readConfig(): PeerConfig {
  return JSON.parse(process.env['BENCH_CONFIG'] ?? '{}') as PeerConfig;
}

export interface HeldKey {
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
}

export interface Controls {
  addressAllowed(address: string | undefined): boolean;
  /** The key, or null when it is not valid. */
  key(value: string | string[] | undefined): HeldKey | null;
  scopesHeld(scopes: ReadonlySet<string>): boolean;
}

export function createControls(config: PeerConfig): Controls {
  const ranges = new BlockList();
  for (const { address, prefix, family } of config.allowedIps) ranges.addSubnet(address, prefix, family);
  const secret = createSecretKey(config.pepper, 'hex');
  const keys = new Map(
    config.keys.map(({ id, hash, scopes }) => [id, { id, hash: Buffer.from(hash, 'hex'), scopes: new Set(scopes) }]),
  );
  return {
    addressAllowed(address = '') {
      const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
      return ranges.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4');
    },
    key(value) {
      if (typeof value !== 'string') return null;
      const known = keys.get(value.slice(4, 16));
      if (!known) return null;
      const hash = createHmac('sha256', secret).update(value).digest();
      return timingSafeEqual(hash, known.hash) ? known : null;
    },
    scopesHeld: (scopes) => config.requiredScopes.every((scope) => scopes.has(scope)),
  };
}

/** Tells the bench where it listens. */
export function announce(port: number): void {
  process.stdout.write(`${JSON.stringify({ port })}\n`);
}

import { createHash, type KeyObject, sign } from 'node:crypto';
import { privateKeyOf, type RawPair } from '#common/node/fleet/raw-keys.ts';

/**
 * Keys and JWTs of NATS in operator mode (NATS 2.0 decentralized authentication), signed by `node:crypto`: the library
 * of NATS signs in plain JavaScript, which takes 7 ms each.
 */
const PREFIXES = { operator: 14 << 3, account: 0, user: 20 << 3 } as const;
export type NatsRole = keyof typeof PREFIXES;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Permissions to publish and to subscribe, as subjects. */
export interface Subjects {
  pub: readonly string[];
  sub: readonly string[];
}

/** The text form of a public key. */
export function nkeyOf(role: NatsRole, { x }: Pick<RawPair, 'x'>): string {
  const body = Buffer.concat([Buffer.of(PREFIXES[role]), Buffer.from(x, 'base64url')]);
  const check = Buffer.alloc(2);
  check.writeUInt16LE(crc16(body));
  return base32(Buffer.concat([body, check]));
}

interface Claims {
  name: string;
  /** Public key in its text form. */
  subject: string;
  /** Seconds since 1970; absent: it does not expire. */
  expires?: number;
  nats: Readonly<Record<string, unknown>>;
}

export interface JwtIssuer {
  /** Public key in its text form. */
  issuer: string;
  key: KeyObject;
}

export function issuerOf(role: NatsRole, pair: RawPair): JwtIssuer {
  return { issuer: nkeyOf(role, pair), key: privateKeyOf('Ed25519', pair) };
}

export function makeJwt({ issuer, key }: JwtIssuer, { name, subject, expires, nats }: Claims, nowMs: number): string {
  const claims = {
    jti: '',
    iat: Math.floor(nowMs / 1000),
    iss: issuer,
    name,
    sub: subject,
    ...(expires !== undefined && { exp: expires }),
    nats: { ...nats, version: 2 },
  };
  const jti = base32(createHash('sha512-256').update(JSON.stringify(claims)).digest());
  const text = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    { ...claims, jti },
  ]
    .map(part)
    .join('.');
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
}

const UNLIMITED = { subs: -1, data: -1, payload: -1 };
const ACCOUNT_LIMITS = { ...UNLIMITED, conn: -1, leaf: 0, imports: 0, exports: 0, wildcards: true };

export function operatorClaims(operator: string, systemAccount: string): Claims {
  return { name: 'sluice', subject: operator, nats: { type: 'operator', system_account: systemAccount } };
}

/** Without explicit limits, an account gets no connections. */
export function systemClaims(account: string): Claims {
  return { name: 'SYS', subject: account, nats: { type: 'account', limits: ACCOUNT_LIMITS } };
}

export interface FleetAccount {
  account: string;
  /** Signs the users of edges; each gets the permissions of `template`, with its own name. */
  signingKey: string;
  template: Subjects;
  /** Users by their public key, with the time in seconds up to which their JWTs are void. */
  revoked: Readonly<Record<string, number>>;
}

export function fleetClaims({ account, signingKey, template, revoked }: FleetAccount): Claims {
  const jetStream = { mem_storage: 0, disk_storage: -1, streams: -1, consumer: -1 };
  const scope = { kind: 'user_scope', key: signingKey, role: 'edge', template: permissions(template, 16) };
  return {
    name: 'FLEET',
    subject: account,
    nats: { type: 'account', limits: { ...ACCOUNT_LIMITS, ...jetStream }, signing_keys: [scope], revocations: revoked },
  };
}

/** A user with permissions of its own, signed by its account. */
export function userClaims(name: string, subject: string, subjects: Subjects, expires?: number): Claims {
  const nats = { type: 'user', ...permissions(subjects, -1) };
  return { name, subject, nats, ...(expires !== undefined && { expires }) };
}

/** A user with the permissions of the signing key that signs it. */
export function scopedUserClaims(name: string, subject: string, account: string): Claims {
  return { name, subject, nats: { type: 'user', issuer_account: account } };
}

function permissions({ pub, sub }: Subjects, subs: number) {
  return { pub: { allow: pub }, sub: { allow: sub }, subs, data: -1, payload: -1 };
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function base32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32.charAt((value >>> (bits - 5)) & 31);
    value &= 0xff;
  }
  return bits > 0 ? text + BASE32.charAt((value << (5 - bits)) & 31) : text;
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

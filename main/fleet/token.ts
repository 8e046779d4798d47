import { createHash, createHmac, hkdfSync, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { edgeName, type EnrolRequest, enrolText } from '#common/fleet/records.ts';
import { pairOfSeed, type RawPair } from '#common/node/fleet/raw-keys.ts';

/**
 * The one-time token of an enrolment: `sle1.` and JSON in base64url. It names the hub, what the hub is recognized by
 * (its certificate authority and its root key), and a user of NATS that may do nothing but ask for the enrolment.
 */
const PREFIX = 'sle1.';
const TOKEN_CHARS_MAX = 8_192;

const tokenSchema = z.strictObject({
  address: z.string(),
  /** SHA-256 of the authority's certificate, hexadecimal. */
  authority: z.string().regex(/^[0-9a-f]{64}$/),
  /** The root key of the hub. */
  root: z.string(),
  fleet: z.string(),
  edge: edgeName,
  id: z.string(),
  secret: z.string(),
  jwt: z.string(),
});
export type JoinToken = z.infer<typeof tokenSchema>;

export function tokenText(token: JoinToken): string {
  return PREFIX + Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** Throws SluiceError `invalid`. */
export function readToken(text: string): JoinToken {
  const trimmed = text.trim();
  try {
    if (trimmed.startsWith(PREFIX) && trimmed.length <= TOKEN_CHARS_MAX)
      return tokenSchema.parse(JSON.parse(Buffer.from(trimmed.slice(PREFIX.length), 'base64url').toString('utf8')));
  } catch {
    // The same sentence; the token itself is a secret.
  }
  throw new SluiceError(
    'invalid',
    'The token cannot be read; expected all of the text that "sluice hub token" printed.',
  );
}

/** The user of NATS that belongs to the secret of a token. */
export function enrolUser(secret: string): RawPair {
  return pairOfSeed(Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', 'sluice-enrol-user', 32)));
}

export function enrolMac(secret: string, request: Omit<EnrolRequest, 'mac'>): string {
  return createHmac('sha256', Buffer.from(secret, 'base64url')).update(enrolText(request)).digest('base64url');
}

export function certificateDigest(certificate: string | Buffer): string {
  return createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex');
}

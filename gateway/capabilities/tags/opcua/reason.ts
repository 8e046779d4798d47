import { clip } from '#common/clip.ts';
import { NodeError } from '#sdk';
import { REASON_CHARS_MAX } from './limits.ts';

/** Status names of the library's texts, such as `BadUserAccessDenied (0x801f0000)`. */
const STATUS = /\b((?:Bad|Uncertain)[A-Z][A-Za-z0-9_]+)\b/;
const NO_TOKEN = /Cannot find (ANONYMOUS|USERNAME) user token policy/;
const US_UNTRUSTED = new Set(['BadSecurityChecksFailed', 'BadCertificateUntrusted', 'BadCertificateUriInvalid']);
const TRUST_US =
  '; the server may first have to trust the client certificate of Sluice, opcua/client-certificate.pem in the data folder';
const SYSTEM = /\b(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)\b/;
const SYSTEM_TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'ended the connection',
  EPIPE: 'ended the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'does not answer',
};

/** The status name in an error of the library, or null. */
export function statusName(error: unknown): string | null {
  return error instanceof Error ? (STATUS.exec(error.message)?.[1] ?? null) : null;
}

/** One plain sentence about `peer` for users; texts of the library are only used for their codes. */
export function reasonOf(error: unknown, peer: string): string {
  if (error instanceof NodeError) return cut(error.message);
  const status = statusName(error);
  if (status !== null) return `${peer} answered ${status}${US_UNTRUSTED.has(status) ? TRUST_US : ''}`;
  const identity = error instanceof Error ? NO_TOKEN.exec(error.message)?.[1] : undefined;
  if (identity !== undefined)
    return `${peer} admits no ${identity === 'USERNAME' ? 'user names' : 'anonymous users; expected a user name'}`;
  const system = error instanceof Error ? SYSTEM.exec(error.message)?.[1] : undefined;
  if (system !== undefined) return `${peer} ${SYSTEM_TEXTS[system] ?? 'cannot be reached'}`;
  if (error instanceof Error && /timed? ?out/i.test(error.message)) return `no answer from ${peer}`;
  return `${peer} does not speak OPC UA as expected`;
}

/** A text of the peer, safe to show: one line, printable, clipped. */
export function cut(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return clip(line, REASON_CHARS_MAX);
}

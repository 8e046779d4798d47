import { constants } from 'node:crypto';
import type { TlsOptions } from 'node:tls';

/** The gateway's TLS identity: a PEM chain with its own certificate first, and the PEM key of that certificate. */
export interface TlsIdentity {
  readonly certificate: string;
  readonly key: string;
  /** 48 bytes, shared by all listeners on one port. Without them each generates its own. */
  readonly ticketKeys?: Uint8Array;
}

/**
 * TLS 1.2 and 1.3, always with forward secrecy and authenticated encryption: no CBC suite. The server's order is used.
 */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/**
 * The defaults of OpenSSL 3.5 without its finite-field groups, whose key exchange costs the server far more than the
 * caller.
 */
const GROUPS = ['X25519MLKEM768', 'X25519', 'P-256', 'X448', 'P-384', 'P-521'].join(':');

export function contextOptions({ certificate, key, ticketKeys }: TlsIdentity): TlsOptions {
  return {
    cert: certificate,
    key,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    ecdhCurve: GROUPS,
    honorCipherOrder: true,
    // A handshake costs the server more than the caller: one per connection.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(ticketKeys && { ticketKeys: Buffer.from(ticketKeys) }),
  };
}

import type { RefusalCause } from '#common/errors/refusals.ts';

type HandshakeCause = Extract<RefusalCause, `tls_${string}`>;

/** Why a handshake failed, as the cause of a refusal; null if the caller only disconnected. */
export function handshakeCause(code: string | undefined): HandshakeCause | null {
  if (!code?.startsWith('ERR_SSL_')) return null;
  if (code === 'ERR_SSL_HTTP_REQUEST') return 'tls_plain_http';
  if (/_(?:UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|WRONG_VERSION_NUMBER|PROTOCOL_VERSION)$/.test(code))
    return 'tls_version';
  if (
    /_ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:UNKNOWN|EXPIRED|REVOKED))$/.test(code)
  )
    return 'tls_not_trusted';
  return code === 'ERR_SSL_NO_SHARED_CIPHER' ? 'tls_cipher' : 'tls_handshake';
}

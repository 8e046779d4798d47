import { NodeError } from '#sdk';

/** Why a call has no response, as plain text of at most 200 characters: without path, headers or text of the target. */
export interface Failure {
  readonly kind: 'unreachable' | 'refused';
  readonly text: string;
}

/** A failure of the proxy, not of the target behind it. Its message is for users. */
export class ProxyError extends Error {
  readonly code = 'ERR_PROXY_TUNNEL';
}

/** A failure whose type is known when it happens. */
export class CallFailure extends Error implements Failure {
  readonly kind: Failure['kind'];
  readonly text: string;

  constructor(kind: Failure['kind'], text: string) {
    super(text);
    this.kind = kind;
    this.text = text;
  }
}

const TEXT_CHARS_MAX = 200;
const CAUSES_MAX = 8;
/** OpenSSL's error has its own code or is in the text of EPROTO, depending on when it is detected. */
const TLS_REASON = /SSL routines:[^:]*:([A-Za-z0-9 ]{1,50}):/;
const CODE = /^[A-Z][A-Z0-9_]{1,59}$/;

const CERTIFICATE_NOT_TRUSTED = 'the certificate of the target is not signed by an authority that is trusted';
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection ended before the answer was whole',
  EPIPE: 'the connection ended while the call was sent',
  ETIMEDOUT: 'no connection could be made in time',
  EHOSTUNREACH: 'there is no way to the target’s machine',
  ENETUNREACH: 'there is no way to the target’s network',
  EADDRNOTAVAIL: 'this machine has no address or port left to call from',
  EMFILE: 'this machine has too many files and connections open',
  ENOTFOUND: 'the name of the target is unknown',
  EAI_AGAIN: 'the name server does not answer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the target is for another name',
  CERT_HAS_EXPIRED: 'the certificate of the target has expired',
  CERT_NOT_YET_VALID: 'the certificate of the target is not valid yet; is the clock right?',
  CERT_REVOKED: 'the certificate of the target is revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE_NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE_NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: CERTIFICATE_NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE_NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE_NOT_TRUSTED,
  ERR_SSL_WRONG_VERSION_NUMBER: 'the target does not speak TLS at this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the target does not speak TLS at this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the target speaks no TLS as new as 1.2',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the target speaks no TLS as new as 1.2',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the target asks for a client certificate',
  ERR_INVALID_CHAR: 'a header of the call holds characters that cannot be sent',
  HPE_HEADER_OVERFLOW: 'the head of the answer is larger than 16 KiB',
};

/** The meaning of an error of axios, Node, TLS or the target guard. */
export function failureOf(error: unknown): Failure {
  const causes = causesOf(error);
  const known = causes.find((cause) => cause instanceof CallFailure);
  if (known !== undefined) return { kind: known.kind, text: shortened(known.text) };
  const guarded = causes.find((cause) => cause instanceof NodeError);
  if (guarded?.code === 'target_refused') return { kind: 'refused', text: shortened(guarded.message) };
  const code = causes.map(codeOf).findLast((found) => found !== null) ?? null;
  const said = guarded?.message ?? causes.find((cause) => cause instanceof ProxyError)?.message ?? words(code);
  return { kind: 'unreachable', text: code === null ? shortened(said) : `${said.slice(0, 130)} (${code})` };
}

function words(code: string | null): string {
  if (code === null) return 'the call failed';
  if (code.startsWith('HPE_')) return WORDS[code] ?? 'the answer is not HTTP';
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return WORDS[code] ?? 'TLS failed';
  return WORDS[code] ?? 'the connection failed';
}

/** The error and its causes, the outermost first. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < CAUSES_MAX; cause = cause.cause) causes.push(cause);
  return causes;
}

/**
 * Codes of Node and OpenSSL. Those of axios (`ERR_BAD_RESPONSE`) only wrap them, and those of Sluice are lower-case.
 */
function codeOf(error: Error): string | null {
  const reason = 'code' in error && error.code === 'EPROTO' ? TLS_REASON.exec(error.message)?.[1] : undefined;
  if (reason !== undefined) return `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
  const code = 'code' in error ? error.code : null;
  return typeof code === 'string' && CODE.test(code) ? code : null;
}

function shortened(text: string): string {
  return text.slice(0, TEXT_CHARS_MAX);
}

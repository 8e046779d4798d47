/** One outgoing HTTP call of a pipeline, made by the outbox or as a direct call. */
export interface HttpCall {
  /** Scheme, host and port: `https://mes.example:8443`, as `readEgressUrl` gives it. */
  readonly origin: string;
  readonly method: string;
  /** Path and query, beginning with `/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** For the whole call, from look-up to the answer's last byte. */
  readonly timeoutMs: number;
  readonly tls: TlsMaterial | null;
  /**
   * Whether its target may get it twice. Such a call takes a kept connection, and if that proves to have ended, is sent
   * once more on a fresh one. Any other has a fresh connection from the start, since nobody could repeat it.
   */
  readonly repeatable: boolean;
  /** Connections are shared only by calls of the same pool, so that one project's calls do not wait for another's. */
  readonly pool: string;
}

/** PEM texts; null = none. */
export interface TlsMaterial {
  readonly ca: string | null;
  readonly certificate: string | null;
  readonly key: string | null;
}

/**
 * How a call ended. `answered`: the answer came whole; `body` is null when it is larger than ANSWER_BYTES_MAX, or memory is short (the rest
 * was not read). `refused`: Sluice did not dial, since the address is not allowed (docs/spec/egress.md#addresses).
 * Texts are plain words for people, without secrets, at most 200 characters.
 */
export type HttpResult = HttpEnd & {
  readonly durationMs: number;
  /** It was sent twice: the first time on a kept connection, which had ended. The end is that of the second. */
  readonly repeated: boolean;
};

type HttpEnd =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Lower-case names; repeated ones joined by ", ". */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array | null;
    }
  | { readonly kind: 'unreachable'; readonly text: string }
  | { readonly kind: 'timeout'; readonly text: string }
  | { readonly kind: 'refused'; readonly text: string }
  /** The signal was aborted. */
  | { readonly kind: 'cancelled' };

export interface HttpClientSettings {
  /** `host:port` each: the setting Allowed internal targets. */
  readonly allowedInternalTargets: readonly string[];
  /** `http://proxy:3128`; null = none. */
  readonly proxy: string | null;
  /** Host names that are called through the proxy; all others are dialled directly. */
  readonly proxyTargets: readonly string[];
}

export interface HttpClient {
  /** Never rejects. */
  call(call: HttpCall, signal: AbortSignal): Promise<HttpResult>;
  /** In force from the next call on; sockets to addresses that were checked before it are not used again. */
  configure(settings: HttpClientSettings): void;
  close(): void;
}

/** An answer's body that is kept; more is an error to the pipeline, never a reason to send again. */
export const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** A call's body. */
export const CALL_BYTES_MAX = 16 * 1024 * 1024;

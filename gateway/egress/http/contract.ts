/** One outgoing HTTP call of a pipeline, made by the outbox or as a direct call. */
export interface HttpCall {
  /** Scheme, host and port: `https://mes.example:8443`, as returned by `readEgressUrl`. */
  readonly origin: string;
  readonly method: string;
  /** Path and query, beginning with `/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** For the whole call, from the DNS lookup to the last byte of the response. */
  readonly timeoutMs: number;
  readonly tls: TlsMaterial | null;
  /**
   * Whether the target may receive it twice. Such a call uses a kept connection and, if that turns out to be closed, is
   * sent once more on a new one. Any other call uses a new connection from the start, because it could not be repeated.
   */
  readonly repeatable: boolean;
  /** Connections are shared only by calls of the same pool, so that one project's calls do not wait for another's. */
  readonly pool: string;
}

/** PEM texts; null: none. */
export interface TlsMaterial {
  readonly ca: string | null;
  readonly certificate: string | null;
  readonly key: string | null;
}

/**
 * The result of a call. `answered`: the response is complete; `body` is null if it is larger than ANSWER_BYTES_MAX, or
 * if memory is short (the rest was not read). `refused`: Sluice did not connect, because the address is not allowed
 * (docs/spec/egress.md#addresses). Texts are plain text for users, without secrets, at most 200 characters.
 */
export type HttpResult = HttpEnd & {
  readonly durationMs: number;
  /** It was sent twice: first on a kept connection that was closed. This is the result of the second attempt. */
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
  /** `http://proxy:3128`; null: no proxy. */
  readonly proxy: string | null;
  /** Host names that are called through the proxy; all others are called directly. */
  readonly proxyTargets: readonly string[];
}

export interface HttpClient {
  /** Never rejects. */
  call(call: HttpCall, signal: AbortSignal): Promise<HttpResult>;
  /** Takes effect with the next call; sockets to addresses that were checked before are not used again. */
  configure(settings: HttpClientSettings): void;
  close(): void;
}

/** Limit for the body of a response; a larger one is an error for the pipeline, never a reason to send again. */
export const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** Limit for the body of a call. */
export const CALL_BYTES_MAX = 16 * 1024 * 1024;

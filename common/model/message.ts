import type { Scope } from '../scopes.ts';

/**
 * A request inside a pipeline, which travels along wires (docs/spec/requests.md#message). Read-only: a node returns a
 * new one.
 */
export interface Message {
  readonly payload: unknown;
  readonly request: RequestInfo | null;
  readonly caller: Caller | null;
  /** Present on messages that left a node through its `error` port. */
  readonly error?: { readonly node: string; readonly code: string; readonly message: string };
}

export interface RequestInfo {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly ip: string;
  /** RFC 3339, UTC. */
  readonly receivedAt: string;
}

export interface Caller {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** The payload of a message that came from a request. */
export interface RequestPayload {
  readonly body: unknown;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The reply of an HTTP Response node; `body` is already encoded. */
export interface Reply {
  readonly status: number;
  readonly contentType: string | null;
  /** Additional headers with lower-case names, checked when the pipeline was saved. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** A 200 whose body has an `error` key: it is counted, and shown as a warning on the pipeline. */
  readonly errorWith200: boolean;
}

/**
 * The connection between hub and edges, as both use it. NATS is one implementation (`nats/nats-transport.ts`); tests
 * have one in memory. Records are signed by their sender: an implementation is trusted with delivery only.
 */
export interface Transport {
  readonly connected: boolean;
  /** Called with each change of `connected`. */
  onChange(listener: (connected: boolean) => void): void;
  /** Dropped while not connected, so that nothing piles up. */
  publish(subject: string, bytes: Uint8Array): void;
  /** Rejects without an answer in time, and while not connected. */
  request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  /** Kept over reconnects. `subject` may end with a wildcard. */
  subscribe(subject: string, listener: (message: Message) => void): void;
  /** The stored record of a subject, or null. */
  lastOf(stream: string, subject: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

export interface Message {
  subject: string;
  bytes: Uint8Array;
  respond(bytes: Uint8Array): void;
}

/** The hub's side, which also stores records. */
export interface StoringTransport extends Transport {
  /** Resolves when it is on disk; subscribers to news of the stream get it too. */
  store(subject: string, bytes: Uint8Array): Promise<void>;
}

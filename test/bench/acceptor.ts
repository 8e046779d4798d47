/** A durable queue under measurement: accepted events are on disk, by fsync, before it acknowledges them. */
export interface Acceptor {
  readonly name: string;
  /** Takes one event; resolves when it would survive a power cut. Rejects if it was not accepted. */
  accept(body: string): Promise<void>;
  /** Number of stored events. */
  held(): Promise<number>;
  /** Empties it between two rounds. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

export interface AcceptorKind {
  readonly name: string;
  /** `folder` is a separate folder on the measured disk; `lanes` is the number of concurrent events. */
  start(folder: string, lanes: number): Promise<Acceptor>;
}

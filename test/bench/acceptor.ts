/** One durable queue under measurement: what it has accepted is on disk, by fsync, before it says so. */
export interface Acceptor {
  readonly name: string;
  /** Takes one event; resolves when it would survive a power cut. Rejects when it was not taken. */
  accept(body: string): Promise<void>;
  /** Events that it holds now. */
  held(): Promise<number>;
  /** Empties it between two rounds. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

export interface AcceptorKind {
  readonly name: string;
  /** `folder` is its own, on the disk under measurement; `lanes` is the most that will be accepted at a time. */
  start(folder: string, lanes: number): Promise<Acceptor>;
}

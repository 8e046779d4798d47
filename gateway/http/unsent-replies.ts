import { REPLIES_BYTES_MAX } from './limits.ts';

/** A connection whose caller has not read all of its reply. */
export interface Reader {
  readonly peer: string;
  /** Gives the reply up, and with it the connection. */
  cutOff(): void;
}

interface OfPeer {
  bytes: number;
  /** The reply that has waited longest comes first. */
  readonly replies: Map<Reader, number>;
}

/**
 * Memory of replies until their callers read them, over all connections: REPLIES_BYTES_MAX at most. If it would be
 * more, the address that holds most gives up the replies that it has not read for longest, until it is enough. A caller
 * that fills the memory loses its own replies.
 */
export class UnsentReplies {
  readonly #perPeer = new Map<string, OfPeer>();
  /** Dropped and not yet released: a thread's report about such a connection may still be in transit. */
  readonly #cut = new WeakSet<Reader>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  hold(reader: Reader, bytes: number): void {
    if (this.#cut.has(reader)) return;
    this.#forget(reader);
    const ofPeer = this.#perPeer.get(reader.peer) ?? { bytes: 0, replies: new Map<Reader, number>() };
    ofPeer.replies.set(reader, bytes);
    ofPeer.bytes += bytes;
    this.#bytes += bytes;
    this.#perPeer.set(reader.peer, ofPeer);
    while (this.#bytes > REPLIES_BYTES_MAX) this.#cutOne();
  }

  release(reader: Reader): void {
    this.#cut.delete(reader);
    this.#forget(reader);
  }

  #forget(reader: Reader): void {
    const ofPeer = this.#perPeer.get(reader.peer);
    const bytes = ofPeer?.replies.get(reader);
    if (!ofPeer || bytes === undefined) return;
    ofPeer.replies.delete(reader);
    ofPeer.bytes -= bytes;
    this.#bytes -= bytes;
    if (ofPeer.replies.size === 0) this.#perPeer.delete(reader.peer);
  }

  #cutOne(): void {
    let most: OfPeer | null = null;
    for (const ofPeer of this.#perPeer.values()) if (ofPeer.bytes > (most?.bytes ?? 0)) most = ofPeer;
    const [longest] = most?.replies.keys() ?? [];
    if (!longest) return;
    this.#forget(longest);
    this.#cut.add(longest);
    longest.cutOff();
  }
}

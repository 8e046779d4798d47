import { REPLIES_BYTES_MAX } from './limits.ts';

/** A connection whose caller has not taken all of its reply. */
export interface Reader {
  readonly peer: string;
  /** Gives the reply up, and with it the connection. */
  cutOff(): void;
}

interface OfPeer {
  bytes: number;
  /** The one that waits for longest comes first. */
  readonly replies: Map<Reader, number>;
}

/**
 * What replies hold in memory until their callers take them, over all connections: REPLIES_BYTES_MAX at most. When it
 * would be more, the address that holds most gives up the reply that it has not taken for longest, until it is enough:
 * whoever fills the memory loses his own.
 */
export class UnsentReplies {
  readonly #perPeer = new Map<string, OfPeer>();
  /** Given up and not yet released: a thread's word of what such a one holds may still be under way. */
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

/**
 * Follows the packets in a stream of MQTT bytes, to end a connection before a packet that is too large is collected in
 * memory: a packet can announce 256 MB and the client would wait for all of it.
 */
export const PACKET_BYTES_MAX = 8 << 20;
/** Bytes of the length field (MQTT 3.1.1, 2.2.3). */
const LENGTH_BYTES_MAX = 4;

export class PacketGate {
  /** Missing bytes of the current packet. */
  #left = 0;
  /** Received bytes of its length field; -1 before its first byte. */
  #lengthBytes = -1;
  #length = 0;

  /** False if a packet announces more than PACKET_BYTES_MAX, or an invalid length. */
  passes(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length;) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, chunk.length - at);
        this.#left -= taken;
        at += taken;
      } else if (!this.#header(chunk[at++] ?? 0)) return false;
    }
    return true;
  }

  #header(byte: number): boolean {
    if (this.#lengthBytes < 0) {
      this.#lengthBytes = 0;
      this.#length = 0;
      return true;
    }
    this.#length += (byte & 0x7f) * 128 ** this.#lengthBytes++;
    if (byte >= 0x80) return this.#lengthBytes < LENGTH_BYTES_MAX;
    this.#lengthBytes = -1;
    this.#left = this.#length;
    return this.#length <= PACKET_BYTES_MAX;
  }
}

/**
 * Keeps the connection to a broker alive and reports when it is dead.
 *
 * A ping is sent twice per keep-alive period, whatever else is sent or received: the broker ends a connection on which
 * the client sent nothing for 1.5 periods, and received data does not count (MQTT 3.1.1, 3.1.2.10). A connection is
 * dead if nothing at all was received for 1.5 periods. Any received byte shows that it is alive, not only the response
 * to a ping, which waits behind thousands of messages, or behind one large message on a slow line.
 *
 * The timer of the mqtt library does one or the other. By default, it gives up when a response is half a period late;
 * if messages reset it, it sends no pings while they arrive.
 *
 * It counts timer ticks and reads no clock: a pause of this process is one tick, and data that arrived meanwhile is
 * read before the next.
 */
export const KEEP_ALIVE_SECONDS = 5;
const BEATS_PER_KEEP_ALIVE = 10;
const BEATS_PER_PING = 5;
const SILENT_BEATS_MAX = 15;

/** The longest time for which a dead connection stays undetected by either side. */
export function silenceMsMax(keepAliveSeconds: number): number {
  return (keepAliveSeconds * 1_000 * SILENT_BEATS_MAX) / BEATS_PER_KEEP_ALIVE;
}

export interface KeepAliveParts {
  readonly seconds: number;
  readonly ping: () => void;
  /** Nothing arrived for `silenceMsMax`. Called once. */
  readonly silent: () => void;
}

export class KeepAlive {
  readonly #parts: KeepAliveParts;
  #timer: NodeJS.Timeout | undefined;
  #beats = 0;
  #silentBeats = 0;

  constructor(parts: KeepAliveParts) {
    this.#parts = parts;
  }

  /** Called once. */
  start(): void {
    this.#silentBeats = 0;
    this.#timer = setInterval(() => this.#beat(), (this.#parts.seconds * 1_000) / BEATS_PER_KEEP_ALIVE);
  }

  /** Bytes were received. */
  heard(): void {
    this.#silentBeats = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    if (++this.#silentBeats >= SILENT_BEATS_MAX) {
      this.stop();
      return this.#parts.silent();
    }
    if (++this.#beats % BEATS_PER_PING === 0) this.#parts.ping();
  }
}

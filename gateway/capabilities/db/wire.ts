import type { Duplex } from 'node:stream';
import { NodeError } from '#sdk';

/** Size limit of one received row: the drivers collect it in memory before it can be checked. */
export const ROW_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Passes the bytes of a server to the driver that parses them. The drivers parse in the `data` event of their socket,
 * so an error about unreadable bytes would end the gateway. Here it ends the connection.
 *
 * Limits: ROW_BYTES_MAX since the last row, or since the start of the statement.
 */
export class WireGuard {
  #bytes = 0;

  /** Once per session for each of its streams: the plain one, and the one created by TLS. */
  watch(stream: Duplex): void {
    const emit = stream.emit.bind(stream);
    stream.emit = (event: string | symbol, ...args: unknown[]): boolean => {
      if (event !== 'data') return emit(event, ...args);
      if (stream.destroyed) return false;
      const [chunk] = args;
      this.#bytes += chunk instanceof Uint8Array ? chunk.byteLength : 0;
      if (this.#bytes > ROW_BYTES_MAX) return cut(stream, tooLarge());
      try {
        return emit(event, ...args);
      } catch (error) {
        return cut(stream, error);
      }
    };
  }

  /** A row was received, or a statement begins. */
  mark(): void {
    this.#bytes = 0;
  }
}

function cut(stream: Duplex, error: unknown): false {
  stream.destroy(error instanceof Error ? error : new Error('the driver could not read what the server sent'));
  return false;
}

function tooLarge(): NodeError {
  return new NodeError('db_error', `a row of the result has more than ${ROW_BYTES_MAX} bytes; expected smaller values`);
}

import type { ByteReader } from './byte-reader.ts';

/**
 * Bytes of unknown length over the local socket: frames of four bytes of length, big endian, and that many bytes; a
 * length of 0 ends them. `CUT` in place of a length: their source failed, and the line of the response has the reason.
 */
const FRAME_BYTES_MAX = 4 * 1024 ** 2;
const CUT = 0xffff_ffff;

/** Never throws errors of the source: `failed` receives them, and the frames are cut. */
export async function* framed(
  chunks: AsyncIterable<Uint8Array>,
  failed: (error: Error) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += FRAME_BYTES_MAX) {
        const piece = chunk.subarray(at, at + FRAME_BYTES_MAX);
        yield length(piece.length);
        yield piece;
      }
    }
  } catch (error) {
    failed(error instanceof Error ? error : new Error(String(error)));
    yield length(CUT);
    return;
  }
  yield length(0);
}

/** The content of the frames; throws the error of `cut` if they were cut. */
export async function* unframed(reader: ByteReader, cut: () => Promise<Error>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const bytes = (await reader.take(4)).readUInt32BE();
    if (bytes === 0) return;
    if (bytes === CUT) throw await cut();
    if (bytes > FRAME_BYTES_MAX) throw new Error(`a frame of ${bytes} bytes came; expected ${FRAME_BYTES_MAX} at most`);
    yield await reader.take(bytes);
  }
}

function length(bytes: number): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(bytes);
  return head;
}

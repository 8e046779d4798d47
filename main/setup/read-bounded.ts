import type { FileHandle } from 'node:fs/promises';

/** The content of a file, a pipe or a device; null: more than `bytesMax`, of which no more is read. */
export async function readBounded(handle: FileHandle, bytesMax: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    const piece = Buffer.from(chunk as Uint8Array);
    bytes += piece.length;
    if (bytes > bytesMax) return null;
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}

/** Reads parts of a byte stream in order. Buffers the requested bytes and at most one more chunk. */
export interface ByteReader {
  /** Reads exactly this number of bytes. Throws if the stream ends earlier. */
  take(bytes: number): Promise<Buffer>;
  /** Reads up to the next line feed, without it. Throws if no line feed follows within `bytesMax`. */
  line(bytesMax: number): Promise<string>;
}

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const input = source[Symbol.asyncIterator]();
  let held: Uint8Array[] = [];
  let size = 0;

  async function more(): Promise<Uint8Array> {
    const next = await input.next();
    if (next.done === true) throw new Error('the stream ended before all of it had come');
    held.push(next.value);
    size += next.value.length;
    return next.value;
  }
  function cut(bytes: number): Buffer {
    const all = Buffer.concat(held);
    held = all.length > bytes ? [all.subarray(bytes)] : [];
    size = all.length - bytes;
    return all.subarray(0, bytes);
  }
  return {
    async take(bytes) {
      while (size < bytes) await more();
      return cut(bytes);
    },
    async line(bytesMax) {
      let before = 0;
      let end = Buffer.concat(held).indexOf(10);
      while (end < 0) {
        before = size;
        if (before > bytesMax) break;
        end = Buffer.from(await more()).indexOf(10);
      }
      if (end < 0 || before + end > bytesMax) throw new Error(`a line of more than ${bytesMax} bytes came`);
      const line = cut(before + end).toString('utf8');
      cut(1);
      return line;
    },
  };
}

import { VaultError } from './errors.ts';

/**
 * The content of a backup: entries one after another, each a name (two bytes of length, UTF-8), eight bytes of size and
 * the bytes; a name of length 0 ends it. All numbers are big endian. Names are relative paths with `/`.
 *
 * Limits: `NAME_BYTES_MAX` of a name, `ENTRIES_MAX` entries. Readers receive only names that stay inside a folder.
 */
export const ENTRIES_MAX = 1_000_000;
/** A workspace path of 1,024 characters, four bytes each, below its project's folder. */
const NAME_BYTES_MAX = 8_192;
const PIECE_BYTES = 1024 ** 2;

export interface ArchiveEntry {
  name: string;
  size: number;
  /** Exactly `size` bytes. They must be read completely before the next entry is requested. */
  content: AsyncIterable<Uint8Array>;
}

export async function* writeArchive(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content } of entries) {
    expectSafeName(name);
    yield entryHead(name, size);
    let sent = 0;
    for await (const piece of content) {
      sent += piece.length;
      if (sent > size) break;
      yield piece;
    }
    if (sent !== size) throw new VaultError('backup', `The file ${name} changed while it was backed up; try again.`);
  }
  yield Buffer.alloc(2);
}

/** Throws VaultError `backup` if the archive is incomplete or names a path outside. */
export async function* readArchive(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const reader = createReader(source);
  for (let count = 0; ; count++) {
    const nameBytes = (await reader.take(2)).readUInt16BE();
    if (nameBytes === 0) break;
    if (nameBytes > NAME_BYTES_MAX || count >= ENTRIES_MAX) throw broken();
    const name = (await reader.take(nameBytes)).toString('utf8');
    expectSafeName(name);
    const size = Number((await reader.take(8)).readBigUInt64BE());
    const content = reader.pieces(size);
    yield { name, size, content };
    for await (const _ of content);
  }
  if (!(await reader.atEnd())) throw broken();
}

function expectSafeName(name: string): void {
  const parts = name.split('/');
  const safe = (part: string): boolean => part !== '' && part !== '.' && part !== '..' && !/[\\:\0-\x1f]/.test(part);
  if (!parts.every(safe) || Buffer.byteLength(name) > NAME_BYTES_MAX) {
    throw new VaultError('backup', `The name ${JSON.stringify(name.slice(0, 100))} cannot be in a backup.`);
  }
}

function entryHead(name: string, size: number): Buffer {
  const text = Buffer.from(name);
  const head = Buffer.alloc(2 + text.length + 8);
  head.writeUInt16BE(text.length);
  text.copy(head, 2);
  head.writeBigUInt64BE(BigInt(size), 2 + text.length);
  return head;
}

interface Reader {
  take(bytes: number): Promise<Buffer>;
  pieces(bytes: number): AsyncGenerator<Buffer>;
  atEnd(): Promise<boolean>;
}

function createReader(source: AsyncIterable<Uint8Array>): Reader {
  const input = source[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);

  /** False at the end of the source. */
  async function more(): Promise<boolean> {
    const next = await input.next();
    if (next.done === true) return false;
    held = held.length === 0 ? Buffer.from(next.value) : Buffer.concat([held, next.value]);
    return true;
  }
  function cut(bytes: number): Buffer {
    const piece = held.subarray(0, bytes);
    held = held.subarray(piece.length);
    return piece;
  }
  return {
    async take(bytes) {
      while (held.length < bytes) if (!(await more())) throw broken();
      return cut(bytes);
    },
    async *pieces(bytes) {
      for (let left = bytes; left > 0;) {
        if (held.length === 0 && !(await more())) throw broken();
        const piece = cut(Math.min(left, PIECE_BYTES));
        left -= piece.length;
        if (piece.length > 0) yield piece;
      }
    },
    async atEnd() {
      while (held.length === 0) if (!(await more())) return true;
      return false;
    },
  };
}

function broken(): VaultError {
  return new VaultError('backup', 'The backup is damaged or incomplete.');
}

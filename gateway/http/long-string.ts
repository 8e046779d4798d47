import { randomUUID } from 'node:crypto';

const LETTER_U = 0x75;
/** Of `\u20ac`. */
const ESCAPE_BYTES = 6;

/** A string in a JSON text that is too long to be parsed at once: V8 gets `text` in its place. */
export interface LongString {
  /** Offsets of its first quote and of the byte after its last one. */
  readonly from: number;
  readonly to: number;
  readonly value: string;
  /** A text that no caller knows. */
  readonly token: string;
  /** The token in quotes. */
  readonly text: string;
}

export class LongStringError extends Error {
  override readonly name = 'LongStringError';
  /** Offset of the fault in bytes; null if not known. */
  readonly at: number | null;

  constructor(at: number | null) {
    super('the string is not valid');
    this.at = at;
  }
}

/** Decodes one string in parts while it is read. */
export class LongStringReader {
  readonly #bytes: Buffer;
  readonly #from: number;
  #to: number;
  #value = '';

  /** `from`: offset of the quote. */
  constructor(bytes: Buffer, from: number) {
    this.#bytes = bytes;
    this.#from = from;
    this.#to = from + 1;
  }

  /**
   * Decodes what has been read, except the beginning of an escape or character. `at`: its end. `escapeAt`: the newest
   * backslash that begins an escape. Throws LongStringError.
   */
  decodeTo(at: number, escapeAt: number): void {
    const isCut = at - escapeAt < ESCAPE_BYTES && this.#bytes[escapeAt + 1] === LETTER_U;
    let to = isCut ? escapeAt : at;
    while (to > this.#to && isContinuation(this.#bytes[to])) to--;
    if (to > this.#to) this.#decode(to);
  }

  /** `at`: offset of the last quote. Throws LongStringError. */
  end(at: number): LongString {
    if (at > this.#to) this.#decode(at);
    const token = randomUUID();
    return { from: this.#from, to: at + 1, value: this.#value, token, text: `"${token}"` };
  }

  #decode(to: number): void {
    const text = `"${this.#bytes.toString('utf8', this.#to, to)}"`;
    try {
      this.#value += JSON.parse(text) as string;
    } catch (error) {
      const position = / at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
      throw new LongStringError(
        position === undefined ? null : this.#to + Buffer.byteLength(text.slice(1, Number(position))),
      );
    }
    this.#to = to;
  }
}

/** Replaces the tokens in a parsed value. Returns the value. */
export function withLongStrings(value: unknown, longs: readonly LongString[]): unknown {
  if (typeof value === 'string') return longs.find(({ token }) => token === value)?.value ?? value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member === 'string' || typeof member === 'object') members[name] = withLongStrings(member, longs);
  }
  return value;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** White space of JSON (RFC 8259, 2). */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

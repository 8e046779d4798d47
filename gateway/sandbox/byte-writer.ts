/** Longer strings are checked and copied by runtime functions; for short ones the calls cost more than the copy. */
const SHORT_CHARS = 24;
const LATIN1_MAX = 0xff;
/** Bytes of numbers and of a short string: they can be written past the end before the next check. */
const SLACK_BYTES = 64;

/**
 * Numbers and strings in the engine's binary form (`packed-message.ts`), one after the other. Check `full` before each
 * value: values that are written after that are lost, and may not be text.
 */
export class ByteWriter {
  at = 0;
  readonly #bytes: Buffer<ArrayBuffer>;
  readonly #view: DataView<ArrayBuffer>;
  readonly #bytesMax: number;

  constructor(bytesMax: number) {
    this.#bytes = Buffer.alloc(bytesMax + SLACK_BYTES);
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    this.#bytesMax = bytesMax;
  }

  get full(): boolean {
    return this.at > this.#bytesMax;
  }

  /** All bytes, one in each character. */
  text(): string {
    return this.#bytes.toString('latin1', 0, this.at);
  }

  byte(value: number): void {
    this.#bytes[this.at++] = value;
  }

  /** LEB128, unsigned 32 bits. */
  count(value: number): void {
    let left = value >>> 0;
    while (left > 0x7f) {
      this.#bytes[this.at++] = (left & 0x7f) | 0x80;
      left >>>= 7;
    }
    this.#bytes[this.at++] = left;
  }

  /** LEB128 of three bytes, at most 2^21 - 1, at a reserved position. */
  countAt(place: number, value: number): void {
    this.#bytes[place] = (value & 0x7f) | 0x80;
    this.#bytes[place + 1] = ((value >> 7) & 0x7f) | 0x80;
    this.#bytes[place + 2] = (value >> 14) & 0x7f;
  }

  float(value: number): void {
    this.#view.setFloat64(this.at, value, true);
    this.at += 8;
  }

  string(value: string): void {
    const { length } = value;
    if (length > SHORT_CHARS) return this.#longString(value);
    const start = this.at;
    this.#bytes[start] = length << 1;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > LATIN1_MAX) return this.#wideString(value, start);
      this.#bytes[start + 1 + index] = code;
    }
    this.at = start + 1 + length;
  }

  #longString(value: string): void {
    if (value.length > this.#bytesMax) return void (this.at = this.#bytesMax + 1);
    if (Buffer.byteLength(value) !== value.length && !isLatin1(value)) return this.#wideString(value, this.at);
    this.count(value.length << 1);
    this.#bytes.write(value, this.at, 'latin1');
    this.at += value.length;
  }

  #wideString(value: string, start: number): void {
    this.at = start;
    this.count((value.length << 1) | 1);
    this.#bytes.write(value, this.at, 'utf16le');
    this.at += value.length * 2;
  }
}

function isLatin1(value: string): boolean {
  for (let index = 0; index < value.length; index++) if (value.charCodeAt(index) > LATIN1_MAX) return false;
  return true;
}

/** Reads and writes the binary form of WebAssembly modules (https://webassembly.github.io/spec/core/binary). */
export interface Section {
  readonly id: number;
  readonly content: Uint8Array;
}

const HEADER_BYTES = 8;
export const SECTION = { type: 1, function: 3, memory: 5, export: 7, code: 10 } as const;
/** The length of a number of 32 bits in its longest form. */
const COUNT_BYTES = 5;

export function readSections(module: Uint8Array): Section[] {
  const sections: Section[] = [];
  const reader = new Reader(module, HEADER_BYTES);
  while (reader.at < module.length) {
    const id = reader.byte();
    const bytes = reader.count();
    sections.push({ id, content: module.subarray(reader.at, reader.at + bytes) });
    reader.at += bytes;
  }
  return sections;
}

export function writeModule(module: Uint8Array, sections: readonly Section[]): Uint8Array<ArrayBuffer> {
  const parts = sections.flatMap(({ id, content }) => [Uint8Array.from([id, ...countBytes(content.length)]), content]);
  return Buffer.concat([module.subarray(0, HEADER_BYTES), ...parts]);
}

export function contentOf(sections: readonly Section[], id: number): Uint8Array {
  const section = sections.find((one) => one.id === id);
  if (section === undefined) throw notAsExpected(`no section ${id}`);
  return section.content;
}

export class Reader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw notAsExpected('an end in the middle');
    return byte;
  }

  /** LEB128, with or without sign. */
  skipNumber(): void {
    while (this.byte() >= 0x80);
  }

  /** LEB128 without sign. */
  count(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  list<T>(read: (index: number) => T): T[] {
    return Array.from({ length: this.count() }, (_, index) => read(index));
  }
}

export function countBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...countBytes(Math.floor(value / 0x80))];
}

export class Writer {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  at = 0;

  constructor(bytes: number) {
    this.#bytes = new Uint8Array(bytes);
  }

  put(...bytes: number[]): void {
    for (const byte of bytes) this.#bytes[this.at++] = byte;
  }

  copy(from: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++) this.#bytes[this.at++] = from[at] ?? 0;
  }

  count(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.#bytes[this.at++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.at++] = rest;
  }

  /** Runs `write` and puts the number of the bytes that it wrote before them, in the longest form. */
  counted(write: () => void): void {
    const place = this.at;
    this.at += COUNT_BYTES;
    write();
    const bytes = this.at - place - COUNT_BYTES;
    for (let index = 0; index < COUNT_BYTES; index++)
      this.#bytes[place + index] = ((bytes >>> (7 * index)) & 0x7f) | (index < COUNT_BYTES - 1 ? 0x80 : 0);
  }

  /** LEB128 with sign, of 32 bits. */
  signed(value: number): void {
    let rest = value | 0;
    for (; rest < -0x40 || rest >= 0x40; rest >>= 7) this.#bytes[this.at++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.at++] = rest & 0x7f;
  }

  written(): Uint8Array<ArrayBuffer> {
    if (this.at > this.#bytes.length) throw notAsExpected('code that grows beyond its room');
    return this.#bytes.subarray(0, this.at);
  }
}

export function notAsExpected(what: string): Error {
  return new Error(`the engine: its WebAssembly module is not built as expected: ${what}`);
}

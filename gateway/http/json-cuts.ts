import { isSpace, type LongString } from './long-string.ts';

/** Shorter white space is parsed with the rest. */
export const SPACE_BYTES_MIN = 1024;

/** White space in a JSON text that is too long to be parsed at once: V8 gets `text` in its place. */
interface LongSpace {
  readonly from: number;
  to: number;
  readonly text: ' ';
}

/** A part of a JSON text that V8 does not get. */
export type JsonCut = LongString | LongSpace;

export interface CutText {
  readonly text: string;
  readonly cuts: readonly JsonCut[];
}

/** The parts of a JSON text that have been read, are not parsed yet and are not to be parsed with the rest. */
export class JsonCuts {
  readonly #bytes: Buffer;
  readonly #spaceBytesMin: number;
  /** In the order of the text. */
  #cuts: JsonCut[] = [];

  constructor(bytes: Buffer, spaceBytesMin: number) {
    this.#bytes = bytes;
    this.#spaceBytesMin = spaceBytesMin;
  }

  addString(long: LongString): void {
    this.#cuts.push(long);
  }

  /** The string at this offset is the name of a member, which is parsed with the rest. */
  keepName(at: number): void {
    const index = this.#cuts.findLastIndex(({ from }) => from <= at);
    if (this.#cuts[index]?.from === at) this.#cuts.splice(index, 1);
  }

  /** Cuts out the white space that ends at `to` and begins at `from` or later. */
  addSpace(from: number, to: number): void {
    const last = this.#cuts.at(-1);
    const first = Math.max(from, last?.to ?? 0);
    let at = to;
    while (at > first && isSpace(this.#bytes[at - 1])) at--;
    if (last !== undefined && !('token' in last) && last.to === at) last.to = to;
    else if (to - at >= this.#spaceBytesMin) this.#cuts.push({ from: at, to, text: ' ' });
  }

  /** The text between two offsets with the cuts in it. */
  between(from: number, to: number): CutText {
    if (this.#cuts.length === 0) return { text: this.#bytes.toString('utf8', from, to), cuts: [] };
    const cuts = this.#cuts.filter((cut) => cut.from >= from && cut.to <= to);
    let text = '';
    let at = from;
    for (const cut of cuts) {
      text += this.#bytes.toString('utf8', at, cut.from) + cut.text;
      at = cut.to;
    }
    return { text: text + this.#bytes.toString('utf8', at, to), cuts };
  }

  /** Everything before this offset has been parsed. */
  forgetTo(at: number): void {
    if (this.#cuts.length > 0) this.#cuts = this.#cuts.filter(({ to }) => to > at);
  }
}

/** `at`: an offset in bytes that counts the texts of the cuts. Returns the offset in the bytes of the body. */
export function offsetInBody(at: number, cuts: readonly JsonCut[]): number {
  for (const { from, to, text } of cuts) if (at > from) at += to - from - text.length;
  return at;
}

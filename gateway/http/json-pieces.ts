import sjson from 'secure-json-parse';
import { type CutText, type JsonCut, JsonCuts, offsetInBody, SPACE_BYTES_MIN } from './json-cuts.ts';
import { isSpace, LongStringError, LongStringReader, withLongStrings } from './long-string.ts';
import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-bytes.ts';
import { ARRAY_BYTES, MEMBER_BYTES, OBJECT_BYTES } from './limits.ts';

/**
 * Parses a long JSON text in pieces, so that other requests are served in between. The text is read once to find where
 * it can be cut: between the members of an array or object that is itself longer than a piece. Each piece is parsed by
 * V8 and added to its array or object. A long string is decoded while it is read, and long white space is not parsed.
 *
 * One step processes at most PIECE_BYTES, STEP_BYTES of a string, white space shorter than STEP_BYTES on each side of a
 * name and a value, or one longer name or number, which cannot be cut. Limits: `depthMax` levels; `room` is called with
 * the estimated memory of each piece before it is parsed.
 */
export const PIECE_BYTES = 16 * 1024;
/** Scanned in one step, whatever the content. */
const STEP_BYTES = 128 * 1024;

type JsonFault =
  | { readonly kind: 'too_deep' | 'no_room' | 'forbidden' | 'ends' }
  /** `at`: offset of the fault in bytes; null: unknown. */
  | { readonly kind: 'invalid'; readonly at: number | null };

export class JsonPieceError extends Error {
  override readonly name = 'JsonPieceError';
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(`the JSON text cannot be parsed: ${fault.kind}`);
    this.fault = fault;
  }
}

interface Options {
  readonly depthMax: number;
  readonly pieceBytes?: number;
  readonly stepBytes?: number;
  readonly spaceBytesMin?: number;
  room(bytes: number): boolean;
}

/** An array or object that is parsed in pieces. */
interface Open {
  readonly value: unknown[] | Record<string, unknown>;
  /** Its name in the enclosing object. */
  readonly name: string;
  /** The last token read in it was a comma. */
  awaitsMember: boolean;
  /** The last token read in it was the end of another open value. */
  awaitsComma: boolean;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Yields between pieces and returns the value. `bytes`: UTF-8. Throws JsonPieceError. */
export function* jsonInPieces(bytes: Buffer, options: Options): Generator<void, unknown> {
  const parser = new PieceParser(bytes, options);
  while (!parser.step()) yield;
  return parser.value;
}

class PieceParser {
  value: unknown;
  readonly #bytes: Buffer;
  readonly #options: Options;
  readonly #pieceBytes: number;
  readonly #stepBytes: number;
  /** Start of the array or object of each level, and of its newest member. */
  readonly #opensAt: Int32Array;
  readonly #memberAt: Int32Array;
  readonly #open: Open[] = [];
  #depth = 0;
  #inString = false;
  /** Offsets of the quote of the newest string, and of the newest backslash that begins an escape. */
  #stringAt = 0;
  #escapeAt = 0;
  #reading: LongStringReader | null = null;
  readonly #cuts: JsonCuts;
  /** The outermost value has ended: only white space may follow. */
  #hasEnded = false;
  #at = 0;
  /** Nothing from this offset on has been parsed. */
  #from = 0;
  #weighedTo = 0;
  #weight = 0;

  constructor(bytes: Buffer, options: Options) {
    this.#bytes = bytes;
    this.#options = options;
    this.#pieceBytes = options.pieceBytes ?? PIECE_BYTES;
    this.#stepBytes = options.stepBytes ?? STEP_BYTES;
    this.#cuts = new JsonCuts(bytes, options.spaceBytesMin ?? SPACE_BYTES_MIN);
    this.#opensAt = new Int32Array(options.depthMax + 1);
    this.#memberAt = new Int32Array(options.depthMax + 1);
    if (bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) this.#at = this.#from = 3;
  }

  /** Reads to the end of a piece and parses it. Returns true when the text is parsed. */
  step(): boolean {
    if (this.#hasEnded) return this.#readEnd();
    const bytes = this.#bytes;
    const base = this.#open.length;
    const last = this.#open.at(-1);
    const stop = Math.min(bytes.length, this.#at + this.#stepBytes);
    for (let at = this.#inString ? this.#endString(this.#at, stop) + 1 : this.#at; at < stop; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) at = this.#endString((this.#stringAt = at) + 1, stop);
      else if (byte === COLON) {
        this.#weight += MEMBER_BYTES;
        this.#cuts.keepName(this.#stringAt);
      } else if (byte === COMMA) {
        this.#weight += MEMBER_BYTES;
        this.#memberAt[this.#depth] = at + 1;
        const isLong = at - this.#from >= this.#pieceBytes;
        if (this.#depth === base && (isLong || last?.awaitsComma === true)) return this.#endPiece(at);
        if (isLong) return this.#descend(at + 1);
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#enter(at, byte);
        if (at - this.#from >= this.#pieceBytes) return this.#descend(at + 1);
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        if (this.#depth === base) return this.#close(at, byte);
        this.#depth--;
        if (at - this.#from >= this.#pieceBytes) this.#cuts.addSpace(this.#from, at);
      }
    }
    if (!this.#inString) this.#cuts.addSpace(this.#from, (this.#at = stop));
    return stop === bytes.length && this.#endOfText();
  }

  /** End of the string that is read from `from`. `stop` or more: it does not end before `stop`. */
  #endString(from: number, stop: number): number {
    let at = from;
    for (; at < stop; at++) {
      const byte = this.#bytes[at];
      // The escaped character may be in the next step.
      if (byte === BACKSLASH) this.#escapeAt = at++;
      else if (byte === QUOTE) {
        this.#inString = false;
        this.#endLongString(at);
        return at;
      }
    }
    this.#inString = true;
    this.#at = at;
    if (at < this.#bytes.length) this.#readLongString(at);
    return stop;
  }

  /** At the end of a step within a string. */
  #readLongString(at: number): void {
    this.#claim(at);
    const reading = (this.#reading ??= new LongStringReader(this.#bytes, this.#stringAt));
    inLongString(() => reading.decodeTo(at, this.#escapeAt));
  }

  #endLongString(at: number): void {
    const reading = this.#reading;
    if (reading === null) return;
    this.#cuts.addString(inLongString(() => reading.end(at)));
    this.#reading = null;
  }

  #enter(at: number, byte: number): void {
    this.#weight += byte === OPEN_OBJECT ? OBJECT_BYTES : ARRAY_BYTES;
    this.#depth++;
    if (this.#depth > this.#options.depthMax) throw new JsonPieceError({ kind: 'too_deep' });
    this.#opensAt[this.#depth] = at;
    this.#memberAt[this.#depth] = at + 1;
  }

  /** A comma of the innermost open value. */
  #endPiece(at: number): false {
    const open = this.#open.at(-1);
    if (open === undefined) throw invalid(at);
    this.#parse(open, at);
    open.awaitsMember = true;
    this.#startAt((this.#at = at + 1));
    return false;
  }

  /** Parses everything before the member that is too long; if the rest is still too long, opens the member. */
  #descend(next: number): false {
    const base = this.#open.length;
    const open = this.#open.at(-1);
    const memberAt = base === 0 ? this.#from : (this.#memberAt[base] as number);
    if (open !== undefined && memberAt > this.#from) {
      this.#parse(open, memberAt - 1);
      open.awaitsMember = true;
      this.#startAt(memberAt);
    }
    if (next - this.#from > this.#pieceBytes) this.#openMember(open, this.#opensAt[base + 1] as number);
    this.#at = next;
    return false;
  }

  #openMember(around: Open | undefined, at: number): void {
    const before = this.#cuts.between(this.#from, at);
    if (around?.awaitsComma === true) throw invalid(this.#from);
    const isNamed = around !== undefined && !Array.isArray(around.value);
    if (!isNamed && !isBlank(before.text)) throw invalid(this.#from);
    const name = isNamed ? this.#nameIn(before) : '';
    const value = this.#bytes[at] === OPEN_ARRAY ? [] : {};
    this.#open.push({ value, name, awaitsMember: false, awaitsComma: false });
    this.#startAt(at + 1);
  }

  /** `before`: a name with its colon. */
  #nameIn(before: CutText): string {
    if (!/:[\t\n\r ]*$/.test(before.text)) throw invalid(this.#from);
    const [name] = Object.keys(this.#parsed({ ...before, text: `{${before.text}0}` }) as object);
    return name ?? '';
  }

  #close(at: number, byte: number): boolean {
    const open = this.#open.at(-1);
    if (open === undefined || Array.isArray(open.value) !== (byte === CLOSE_ARRAY)) throw invalid(at);
    this.#parse(open, at);
    // The last token was a comma, and no member follows.
    if (open.awaitsMember) throw invalid(at);
    forbidPrototype(open.value);
    this.#open.pop();
    this.#depth--;
    this.#startAt((this.#at = at + 1));
    const around = this.#open.at(-1);
    if (around === undefined) return this.#end(open.value);
    add(around.value, open.name, open.value);
    around.awaitsMember = false;
    around.awaitsComma = true;
    return false;
  }

  /** Everything before this offset has been parsed. */
  #startAt(at: number): void {
    this.#from = at;
    this.#cuts.forgetTo(at);
  }

  #end(value: unknown): boolean {
    this.#claim(this.#bytes.length);
    this.value = value;
    this.#hasEnded = true;
    return this.#readEnd();
  }

  #readEnd(): boolean {
    const stop = Math.min(this.#bytes.length, this.#at + this.#stepBytes);
    for (; this.#at < stop; this.#at++) if (!isSpace(this.#bytes[this.#at])) throw invalid(this.#at);
    return stop === this.#bytes.length;
  }

  #endOfText(): true {
    if (this.#reading !== null) throw new JsonPieceError({ kind: 'ends' });
    const rest = this.#cuts.between(this.#from, this.#bytes.length);
    const open = this.#open.at(-1);
    this.#claim(this.#bytes.length);
    if (open === undefined) {
      // The parser skips a byte order mark. The one that the text may begin with is not in the rest.
      if (rest.text.startsWith('\ufeff')) throw invalid(this.#from);
      this.value = this.#parsed(rest, 0);
      return true;
    }
    // The text ended before it was closed. The parser reports an earlier error if there is one.
    if (!open.awaitsComma) this.#parsed({ ...rest, text: (Array.isArray(open.value) ? '[' : '{') + rest.text });
    else if (!isBlank(rest.text)) throw invalid(this.#from);
    throw new JsonPieceError({ kind: 'ends' });
  }

  /** Adds the members up to `to` to the open value. */
  #parse(open: Open, to: number): void {
    this.#claim(to);
    const { text, cuts } = this.#cuts.between(this.#from, to);
    if (open.awaitsComma) {
      if (!isBlank(text)) throw invalid(this.#from);
      open.awaitsComma = false;
      return;
    }
    if (Array.isArray(open.value))
      for (const member of this.#parsed({ text: `[${text}]`, cuts }) as unknown[]) open.value.push(member);
    else Object.assign(open.value, this.#parsed({ text: `{${text}}`, cuts }));
    if (!isBlank(text)) open.awaitsMember = false;
    // There must be a member after a comma and before one.
    else if (this.#bytes[to] === COMMA) throw invalid(to);
  }

  /** `skipped`: number of characters that the text has before the text of the body. */
  #parsed({ text, cuts }: CutText, skipped = 1): unknown {
    try {
      const value: unknown = sjson.parse(text);
      const longs = cuts.filter((cut) => 'token' in cut);
      return longs.length === 0 ? value : withLongStrings(value, longs);
    } catch (error) {
      throw new JsonPieceError(this.#faultOf(error instanceof Error ? error.message : '', text, skipped, cuts));
    }
  }

  #faultOf(message: string, text: string, skipped: number, cuts: readonly JsonCut[]): JsonFault {
    if (message === 'Object contains forbidden prototype property') return { kind: 'forbidden' };
    if (message === 'Unexpected end of JSON input' || message.startsWith('Unterminated string'))
      return { kind: 'ends' };
    const position = / JSON at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1];
    if (position === undefined) return { kind: 'invalid', at: null };
    const at = offsetInBody(this.#from + Buffer.byteLength(text.slice(skipped, Number(position))), cuts);
    return at >= this.#bytes.length ? { kind: 'ends' } : { kind: 'invalid', at };
  }

  #claim(to: number): void {
    // The size of a long string is counted while it is read, including the part after the piece that is parsed next.
    const reached = Math.max(to, this.#weighedTo);
    const bytes = this.#weight + reached - this.#weighedTo;
    this.#weight = 0;
    this.#weighedTo = reached;
    if (!this.#options.room(bytes)) throw new JsonPieceError({ kind: 'no_room' });
  }
}

function inLongString<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof LongStringError ? new JsonPieceError({ kind: 'invalid', at: error.at }) : error;
  }
}

function invalid(at: number): JsonPieceError {
  return new JsonPieceError({ kind: 'invalid', at });
}

function add(to: unknown[] | Record<string, unknown>, name: string, value: unknown): void {
  if (Array.isArray(to)) to.push(value);
  else to[name] = value;
}

/** Does what secure-json-parse does for complete values. `__proto__` has already been refused by its name. */
function forbidPrototype(value: unknown[] | Record<string, unknown>): void {
  if (Array.isArray(value) || !Object.hasOwn(value, 'constructor')) return;
  const { constructor: own } = value;
  if (typeof own === 'object' && own !== null && Object.hasOwn(own, 'prototype'))
    throw new JsonPieceError({ kind: 'forbidden' });
}

function isBlank(text: string): boolean {
  return /^[\t\n\r ]*$/.test(text);
}

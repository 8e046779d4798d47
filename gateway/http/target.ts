/** Splits and decodes request targets (docs/spec/routes.md#matching). */
export type Query = Record<string, string | string[]>;

/** Decoded at once: about 0.2 ms. */
const PIECE_CHARS = 64 * 1024;
/** Of `%7f`. */
const ESCAPE_CHARS = 3;
const UTF8_BYTES_MAX = 4;
/** The beginning of an escape that continues a character. */
const CONTINUATION = /^%[89ABab]/;

const NO_QUERY: Query = Object.freeze(Object.create(null) as Query);

/** True if every `%` in the text begins an escape and the escapes are valid UTF-8. */
export function escapesAreValid(text: string): boolean {
  return decode(text) !== null;
}

/** Percent-decodes; null if an escape is malformed or not UTF-8. */
export function decode(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The reason why a form is refused. */
export type FormFault = 'a malformed escape' | 'the forbidden name __proto__';

/**
 * Decodes a form (`+` is a space); a repeated name becomes an array. `__proto__` is refused, as in JSON, so that later
 * code cannot take it for a prototype.
 */
export function decodeForm(text: string): Query | FormFault {
  if (text === '') return NO_QUERY;
  const form = new FormReader();
  return form.addAll(text.split('&')) ?? form.fields;
}

/** Reads a form in as many pieces as its caller passes. */
export class FormReader {
  readonly fields = Object.create(null) as Query;

  addAll(pairs: readonly string[]): FormFault | null {
    for (const pair of pairs) {
      const fault = pair === '' ? null : this.#add(pair);
      if (fault !== null) return fault;
    }
    return null;
  }

  /** The same for one pair of any length: yields between its pieces. */
  *addInPieces(pair: string): Generator<void, FormFault | null> {
    if (pair === '') return null;
    const [name, value] = halvesOf(pair);
    return this.#put(yield* decodeInPieces(name), yield* decodeInPieces(value));
  }

  #add(pair: string): FormFault | null {
    const [name, value] = halvesOf(pair);
    return this.#put(decodeFormText(name), decodeFormText(value));
  }

  #put(name: string | null, value: string | null): FormFault | null {
    if (name === null || value === null) return 'a malformed escape';
    if (name === '__proto__') return 'the forbidden name __proto__';
    const before = this.fields[name];
    if (before === undefined) this.fields[name] = value;
    else if (typeof before === 'string') this.fields[name] = [before, value];
    else before.push(value);
    return null;
  }
}

function halvesOf(pair: string): readonly [name: string, value: string] {
  const equals = pair.indexOf('=');
  return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

/** As `decodeFormText`. */
function* decodeInPieces(text: string): Generator<void, string | null> {
  let decoded = '';
  for (let from = 0; from < text.length;) {
    const to = cutBefore(text, from + PIECE_CHARS);
    const piece = decodeFormText(text.slice(from, to));
    if (piece === null) return null;
    decoded += piece;
    from = to;
    if (from < text.length) yield;
  }
  return decoded;
}

/** At most 11 before `at`, so that no escape and no character in escapes is cut. */
function cutBefore(text: string, at: number): number {
  if (at >= text.length) return text.length;
  let cut = at;
  if (text[at - 1] === '%') cut = at - 1;
  else if (text[at - 2] === '%') cut = at - 2;
  for (let bytes = 1; bytes < UTF8_BYTES_MAX && CONTINUATION.test(text.slice(cut, cut + 2)); bytes++)
    cut -= ESCAPE_CHARS;
  return cut;
}

function decodeFormText(text: string): string | null {
  return decode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

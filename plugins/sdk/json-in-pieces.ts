import { base64, jsonText } from './json.ts';

/** Values per piece: about a millisecond. A text counts as one for each of this many characters. */
const PIECE_VALUES = 10_000;
const CHARS_PER_VALUE = 32;
/** Characters of a long text, or bytes, per piece. Divisible by 3, for base64. */
const PIECE_CHARS = 192 * 1024;
/** Members that are nested deeper are written in one step. */
const LEVELS_MAX = 16;

/** Whether writing the value takes longer than one piece. */
export function isLongJson(value: unknown): boolean {
  return leftAfter(value, PIECE_VALUES) < 0;
}

/**
 * The text of `jsonText` in pieces, to be joined. Long arrays and objects are cut between their members, long texts and
 * bytes between their characters. The value must
 * not change meanwhile. Throws like `jsonText`.
 */
export function jsonInPieces(value: unknown): Generator<string> {
  if (!isLongJson(value)) return whole(value);
  if (isLinear(value)) return charsOf(value);
  return isCuttable(value) ? piecesOf(value, []) : whole(value);
}

type Cuttable = readonly unknown[] | Readonly<Record<string, unknown>>;

function* whole(value: unknown): Generator<string> {
  yield jsonText(value);
}

function piecesOf(value: Cuttable, around: readonly Cuttable[]): Generator<string> {
  if (around.includes(value)) throw new TypeError('a value that contains itself has no JSON form');
  const inside = [...around, value];
  return isList(value) ? itemsOf(value, inside) : membersOf(value, inside);
}

function* itemsOf(items: readonly unknown[], inside: readonly Cuttable[]): Generator<string> {
  let before = '[';
  let from = 0;
  let left = PIECE_VALUES;
  for (let at = 0; at <= items.length; at++) {
    const isEnd = at === items.length;
    if (!isEnd && (left = leftAfter(items[at], left)) >= 0) continue;
    if (at > from) {
      yield before + jsonText(items.slice(from, at)).slice(1, -1);
      before = ',';
    }
    if (isEnd) break;
    from = at;
    left = leftAfter(items[at], PIECE_VALUES);
    if (left >= 0) continue;
    yield before;
    yield* memberOf(items[at], inside);
    before = ',';
    from = at + 1;
    left = PIECE_VALUES;
  }
  yield ']';
}

function* membersOf(object: Readonly<Record<string, unknown>>, inside: readonly Cuttable[]): Generator<string> {
  let before = '{';
  let left = PIECE_VALUES;
  let part: Record<string, unknown> = Object.create(null);
  const written = (): string => {
    const text = jsonText(part).slice(1, -1);
    part = Object.create(null);
    left = PIECE_VALUES;
    if (text === '') return '';
    const piece = before + text;
    before = ',';
    return piece;
  };
  for (const name of Object.keys(object)) {
    const value = object[name];
    if ((isLinear(value) || (isCuttable(value) && inside.length < LEVELS_MAX)) && isLongJson(value)) {
      yield written();
      yield `${before}${JSON.stringify(name)}:`;
      before = ',';
      yield* memberOf(value, inside);
      continue;
    }
    part[name] = value;
    left = leftAfter(value, left - name.length / CHARS_PER_VALUE);
    if (left < 0) yield written();
  }
  yield written();
  yield before === '{' ? '{}' : '}';
}

function* memberOf(value: unknown, inside: readonly Cuttable[]): Generator<string> {
  if (isLinear(value)) yield* charsOf(value);
  else if (isCuttable(value) && inside.length < LEVELS_MAX) yield* piecesOf(value, inside);
  // In a list, a value without a JSON form becomes null.
  else yield jsonText([value]).slice(1, -1);
}

function isLinear(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array;
}

function* charsOf(value: string | Uint8Array): Generator<string> {
  yield '"';
  for (let from = 0; from < value.length;) {
    let to = Math.min(value.length, from + PIECE_CHARS);
    if (typeof value === 'string') {
      // The halves of a pair must stay together: alone, each is written as an escape.
      if (to < value.length && isHighSurrogate(value.charCodeAt(to - 1))) to -= 1;
      yield JSON.stringify(value.slice(from, to)).slice(1, -1);
    } else yield base64(value.subarray(from, to));
    from = to;
  }
  yield '"';
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** An array or a plain object without its own serialization. */
function isCuttable(value: unknown): value is Cuttable {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  if ('toJSON' in value && typeof value.toJSON === 'function') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function isList(value: Cuttable): value is readonly unknown[] {
  return Array.isArray(value);
}

/** `left` minus the number of values for writing this one; stops below 0. */
function leftAfter(value: unknown, left: number): number {
  if (typeof value === 'string') return left - 1 - value.length / CHARS_PER_VALUE;
  if (typeof value !== 'object' || value === null) return left - 1;
  if (value instanceof Uint8Array) return left - 1 - value.byteLength / CHARS_PER_VALUE;
  left -= 1;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = leftAfter(value[at], left);
    return left;
  }
  for (const name in value) {
    left = leftAfter((value as Record<string, unknown>)[name], left - name.length / CHARS_PER_VALUE);
    if (left < 0) return left;
  }
  return left;
}

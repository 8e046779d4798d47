/** Bytes that are counted in one step. */
const STEP_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

interface Place {
  readonly line: number;
  /** In UTF-16 units, as V8 counts. */
  readonly column: number;
}

/** Line and column, from 1 on, of an offset in UTF-8. Yields between steps. */
export function* placeIn(bytes: Buffer, offset: number): Generator<void, Place> {
  let line = 1;
  let column = 1;
  for (let at = 0; at < offset; at++) {
    const byte = bytes[at] as number;
    if (byte === LINE_FEED) {
      line++;
      column = 1;
    } else column += unitsOf(byte);
    if (at % STEP_BYTES === STEP_BYTES - 1) yield;
  }
  return { line, column };
}

/** UTF-16 units of a character, counted at its first byte. */
function unitsOf(byte: number): number {
  if ((byte & 0xc0) === 0x80) return 0;
  return byte >= 0xf0 ? 2 : 1;
}

import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-bytes.ts';
import { ARRAY_BYTES, MEMBER_BYTES, OBJECT_BYTES } from './limits.ts';

/**
 * Estimated memory of a JSON text once it is parsed, in bytes: 1 MB of `{},{},…` becomes 20 MB. Null if it is nested
 * deeper than `depthMax` (RFC 8259, 9), which neither nodes nor replies could process.
 */
export function weighJson(text: string, depthMax: number): number | null {
  let bytes = text.length;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === COMMA || char === COLON) bytes += MEMBER_BYTES;
    else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      bytes += char === OPEN_OBJECT ? OBJECT_BYTES : ARRAY_BYTES;
      depth++;
      if (depth > depthMax) return null;
    } else if (char === CLOSE_ARRAY || char === CLOSE_OBJECT) depth--;
  }
  return bytes;
}

/** End of the string that begins at `at`, or of the text. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const char = text.charCodeAt(end);
    if (char === BACKSLASH) end++;
    else if (char === QUOTE) return end;
  }
  return text.length;
}

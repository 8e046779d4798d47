import secureJson from 'secure-json-parse';

/** Throws on bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/**
 * Levels of arrays and objects in a body: no form of ours has ten of its own. What nests some thousands deep can be
 * read, but neither be checked by a schema nor be written as JSON again for the store or the gateway.
 */
export const JSON_DEPTH_MAX = 200;

/** Throws on what is not JSON or nests deeper than `JSON_DEPTH_MAX`, and on `__proto__` anywhere in it. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new RangeError(`the JSON nests over ${JSON_DEPTH_MAX} levels deep`);
  return secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' });
}

const [QUOTE, BACKSLASH] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)];
const OPENING = new Set(['[', '{'].map((char) => char.charCodeAt(0)));
const CLOSING = new Set([']', '}'].map((char) => char.charCodeAt(0)));

/** Counted before parsing (RFC 8259, 9). What stands in a string opens nothing. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) quoted = !quoted;
    else if (quoted && char === BACKSLASH) at++;
    else if (!quoted && OPENING.has(char)) depth++;
    else if (!quoted && CLOSING.has(char)) depth--;
    if (depth > JSON_DEPTH_MAX) return true;
  }
  return false;
}

import secureJson from 'secure-json-parse';
import { SluiceError } from '#common/errors/catalogue.ts';

/** Throws on bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/**
 * Levels of arrays and objects in a body: no schema of Sluice has ten. Values that are nested several thousand levels
 * deep can be parsed, but neither checked by a schema nor written as JSON again for the store or the gateway.
 */
export const JSON_DEPTH_MAX = 200;

/**
 * Estimated bytes that the values of a body may take in addition to its text: 32 MiB of `{},` would take over 600 MiB
 * and seconds of parsing.
 */
export const VALUES_BYTES_MAX = 64 * 1024 * 1024;
const CONTAINER_BYTES = 64;
const ENTRY_BYTES = 16;

/**
 * Throws on invalid JSON, on deeper nesting than `JSON_DEPTH_MAX`, and on `__proto__` anywhere in it; SluiceError
 * `payload_too_large` beyond `VALUES_BYTES_MAX`.
 */
export function parseJson(text: string): unknown {
  refuseCostly(text);
  return secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' });
}

const [QUOTE, BACKSLASH, COMMA] = ['"'.charCodeAt(0), '\\'.charCodeAt(0), ','.charCodeAt(0)];
const OPENING = new Set(['[', '{'].map((char) => char.charCodeAt(0)));
const CLOSING = new Set([']', '}'].map((char) => char.charCodeAt(0)));

/** Counted before parsing (RFC 8259, 9). Brackets inside a string do not count. */
function refuseCostly(text: string): void {
  let depth = 0;
  let bytes = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) quoted = !quoted;
    else if (quoted) at += char === BACKSLASH ? 1 : 0;
    else if (OPENING.has(char)) {
      depth++;
      bytes += CONTAINER_BYTES;
    } else if (CLOSING.has(char)) depth--;
    else if (char === COMMA) bytes += ENTRY_BYTES;
    if (depth > JSON_DEPTH_MAX) throw new RangeError(`the JSON nests over ${JSON_DEPTH_MAX} levels deep`);
    if (bytes > VALUES_BYTES_MAX)
      throw new SluiceError('payload_too_large', 'The body has too many values; expected fewer lists and objects.');
  }
}

import secureJson from 'secure-json-parse';

/** Throws on bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Throws on what is not JSON, and on `__proto__` anywhere in it. */
export function parseJson(text: string): unknown {
  return secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' });
}

/** A complete pasted key, alone or with its header: its secret must not become part of the address. */
const KEY = /\bslc_([0-9A-Za-z]{12})(?:_|$)/;
/** As the gateway generates them. */
const REQUEST_ID = /^[0-9A-Za-z]{12}-[0-9a-z]{1,11}$/;

/** The meaning of the search text: the calls of a pasted key, one request, or rows that contain the text. */
export type Asked = { kind: 'nothing' } | { kind: 'key' | 'request' | 'text'; value: string };

export function askedOf(text: string): Asked {
  const value = text.trim();
  if (value === '') return { kind: 'nothing' };
  const keyId = KEY.exec(value)?.[1];
  if (keyId !== undefined) return { kind: 'key', value: keyId };
  return { kind: REQUEST_ID.test(value) ? 'request' : 'text', value };
}

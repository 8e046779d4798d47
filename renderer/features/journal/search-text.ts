/** A key that was pasted whole, alone or with the header around it: the rest of it must not reach the address. */
const KEY = /\bslc_([0-9A-Za-z]{12})(?:_|$)/;
/** As the gateway makes them. */
const REQUEST_ID = /^[0-9A-Za-z]{12}-[0-9a-z]{1,11}$/;

/** A question of the search field: the calls of a key that was pasted, one request, or rows that contain the text. */
export type Asked = { kind: 'nothing' } | { kind: 'key' | 'request' | 'text'; value: string };

export function askedOf(text: string): Asked {
  const value = text.trim();
  if (value === '') return { kind: 'nothing' };
  const keyId = KEY.exec(value)?.[1];
  if (keyId !== undefined) return { kind: 'key', value: keyId };
  return { kind: REQUEST_ID.test(value) ? 'request' : 'text', value };
}

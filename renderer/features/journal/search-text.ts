import { CATALOGUE } from '#common/errors/catalogue.ts';

/** The kind of search in the search field. */
export type Asked = { kind: 'nothing' } | { kind: 'code' | 'route' | 'consumer' | 'requestId'; value: string };

/**
 * As much of a key as is asked about; the rest of a key that was pasted whole, alone or with the header around it, must
 * not reach the address.
 */
const KEY = /\bslc_([0-9A-Za-z]{12})(?:_|$)/;

/**
 * One box for all: a route (it starts with "/"), an error code, a consumer by name or by its key's id, or else a
 * request ID. `consumers` are those whose names this person may see.
 */
export function askedOf(text: string, consumers: readonly { id: string; name: string }[]): Asked {
  const value = text.trim();
  if (value === '') return { kind: 'nothing' };
  const keyId = KEY.exec(value)?.[1];
  if (keyId !== undefined) return { kind: 'consumer', value: keyId };
  if (value.startsWith('/')) return { kind: 'route', value };
  if (Object.hasOwn(CATALOGUE, value)) return { kind: 'code', value };
  const wanted = value.toLocaleLowerCase();
  const known = consumers.find(({ id, name }) => id === value || name.toLocaleLowerCase() === wanted);
  if (known !== undefined) return { kind: 'consumer', value: known.id };
  return { kind: 'requestId', value };
}

import { normaliseAddress, parseCidr } from '#common/cidr.ts';

/** A condition in SQL with its values. */
export interface Condition {
  sql: string;
  values: (string | number)[];
}

/** Further words are ignored: each costs time for every row. */
export const FIND_WORDS_MAX = 8;
const STATUS = /^[1-5]\d\d$/;
/** A pasted key: only its ID is in the journal. */
const KEY = /slc_[0-9A-Za-z]{12}(?=_)\S*/g;
const KEY_LENGTH = 16;

/**
 * Rows in which each word of the text occurs (docs/spec/journal.md#search-and-export): an address or a range of
 * addresses as such, three digits as a status, anything else as a part of what the row names.
 */
export function findConditions(text: string): Condition[] {
  const withoutSecrets = text.replace(KEY, (key) => key.slice(0, KEY_LENGTH));
  const words = withoutSecrets.trim().toLowerCase().split(/\s+/);
  return words
    .filter((word) => word !== '')
    .slice(0, FIND_WORDS_MAX)
    .map(wordCondition);
}

function wordCondition(word: string): Condition {
  if (STATUS.test(word)) return { sql: 'kinds.status = ?', values: [Number(word)] };
  if (parseCidr(word) !== null) return addressCondition(word);
  const places = ['kinds.text', 'rows.path', 'lower(rows.request)', 'lower(rows.client_request)'];
  return {
    sql: `(${places.map((place) => `instr(${place}, ?) > 0`).join(' OR ')})`,
    values: places.map(() => word),
  };
}

export function addressCondition(address: string): Condition {
  if (address.includes('/')) return { sql: 'in_range(kinds.address, ?) = 1', values: [address] };
  return { sql: 'kinds.address = ?', values: [normaliseAddress(address)] };
}

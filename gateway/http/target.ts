/** Splits and decodes request targets (behaviour 1, Matching). */
export type Query = Record<string, string | string[]>;

const NO_QUERY: Query = Object.freeze(Object.create(null) as Query);

/** True when every `%` in the text begins an escape and the escapes are UTF-8. */
export function escapesAreValid(text: string): boolean {
  return decode(text) !== null;
}

/** Percent-decodes; null when an escape is malformed or not UTF-8. */
export function decode(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** What a form is refused for. */
export type FormFault = 'a malformed escape' | 'the forbidden name __proto__';

/**
 * Decodes a form (`+` is a space); a repeated name becomes an array. `__proto__` is refused, as in JSON: what is made
 * of the payload later must not take it for a prototype.
 */
export function decodeForm(text: string): Query | FormFault {
  if (text === '') return NO_QUERY;
  const query = Object.create(null) as Query;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeFormText(equals < 0 ? pair : pair.slice(0, equals));
    const value = decodeFormText(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === null || value === null) return 'a malformed escape';
    if (name === '__proto__') return 'the forbidden name __proto__';
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (typeof before === 'string') query[name] = [before, value];
    else before.push(value);
  }
  return query;
}

function decodeFormText(text: string): string | null {
  return decode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

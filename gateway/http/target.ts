/** Splits and decodes request targets (docs/spec/routes.md#matching). */
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

/** Why a form is refused. */
export type FormFault = 'a malformed escape' | 'the forbidden name __proto__';

/**
 * Decodes a form (`+` is a space); a repeated name becomes an array. `__proto__` is refused, as in JSON, so that later
 * code cannot take it for a prototype.
 */
export function decodeForm(text: string): Query | FormFault {
  if (text === '') return NO_QUERY;
  const form = new FormReader();
  return form.addAll(text.split('&')) ?? form.fields;
}

/** Reads a form in as many pieces as its caller passes. */
export class FormReader {
  readonly fields = Object.create(null) as Query;

  addAll(pairs: readonly string[]): FormFault | null {
    for (const pair of pairs) {
      const fault = pair === '' ? null : this.#add(pair);
      if (fault !== null) return fault;
    }
    return null;
  }

  #add(pair: string): FormFault | null {
    const equals = pair.indexOf('=');
    const name = decodeFormText(equals < 0 ? pair : pair.slice(0, equals));
    const value = decodeFormText(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === null || value === null) return 'a malformed escape';
    if (name === '__proto__') return 'the forbidden name __proto__';
    const before = this.fields[name];
    if (before === undefined) this.fields[name] = value;
    else if (typeof before === 'string') this.fields[name] = [before, value];
    else before.push(value);
    return null;
  }
}

function decodeFormText(text: string): string | null {
  return decode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

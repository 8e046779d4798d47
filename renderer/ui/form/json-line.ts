/**
 * Any JSON value in one line, in a natural form: `8` is a number, `true` a boolean, `urgent` a text. A text that would
 * be parsed as another type is in quotes.
 */
export function lineOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return isPlainText(value) ? value : JSON.stringify(value);
}

function isPlainText(text: string): boolean {
  return text !== '' && text.trim() === text && !/[\n\r\t]/.test(text) && readLine(text).value === text;
}

export type LineType = 'nothing' | 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object';

/** `ok` false: it begins like JSON but is invalid. */
export function readLine(line: string): { ok: true; value: unknown } | { ok: false; value: undefined } {
  const text = line.trim();
  if (text === '') return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // A template begins with two braces, which is not possible in JSON.
    return /^(?:["[]|\{(?!\{))/.test(text) ? { ok: false, value: undefined } : { ok: true, value: text };
  }
}

export function typeOf(value: unknown): LineType {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'object';
}

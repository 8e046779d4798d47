import type { KnownPath, Places } from './mapping.ts';

/** The paths that match the input at the caret, and the part that the selected one replaces. */
export interface Offers {
  from: number;
  to: number;
  options: readonly KnownPath[];
  /** Enter selects the first one: part of it was typed. */
  isTyped: boolean;
}

const OPTIONS_MAX = 50;
const OPEN = '{{';
const CLOSE = '}}';

/** Null: no suggestions. `asked`: requested with a key, without input that requests a path. */
export function offersAt(
  text: string,
  caret: number,
  { places, asked, paths }: { places: Places; asked: boolean; paths: readonly KnownPath[] },
): Offers | null {
  if (places === 'path') {
    // A complete path can be replaced by any other.
    const isComplete = asked && paths.some(({ path }) => path === text.trim());
    return offered(paths, isComplete ? '' : text.trim(), 0, text.length, asked);
  }
  const open = text.lastIndexOf(OPEN, caret - OPEN.length);
  const inside = open >= 0 && caret >= open + OPEN.length && !text.slice(open, caret).includes(CLOSE);
  if (!inside) return asked ? offered(paths, '', caret, caret, true) : null;
  return offered(paths, text.slice(open + OPEN.length, caret).trim(), open, endOf(text, caret), true);
}

/** The end of the placeholder at the caret: after its braces, or the caret if it is not in one yet. */
function endOf(text: string, caret: number): number {
  const [rest = ''] = /^[^{}]*\}{1,2}/.exec(text.slice(caret)) ?? [];
  return caret + rest.length;
}

function offered(paths: readonly KnownPath[], typed: string, from: number, to: number, asked: boolean): Offers | null {
  if (typed === '' && !asked) return null;
  const wanted = typed.toLowerCase();
  const begins = paths.filter(({ path }) => path.toLowerCase().startsWith(wanted));
  const holds = paths.filter(({ path }) => path.toLowerCase().indexOf(wanted) > 0);
  const options = [...begins, ...holds].slice(0, OPTIONS_MAX);
  const [only] = options;
  if (only === undefined || (options.length === 1 && only.path === typed)) return null;
  const isTyped = typed !== '' && !options.some(({ path }) => path === typed);
  return { from, to, options, isTyped };
}

/** The text with the selected path, and the caret after it. */
export function withPath(text: string, { from, to }: Offers, path: string, places: Places) {
  const inserted = places === 'path' ? path : `${OPEN}${path}${CLOSE}`;
  return { text: text.slice(0, from) + inserted + text.slice(to), caret: from + inserted.length };
}

import type { KnownPath, Places } from './mapping.ts';

/** The paths that fit what is typed at the caret, and what is replaced by the chosen one. */
export interface Offers {
  from: number;
  to: number;
  options: readonly KnownPath[];
  /** Enter takes the first one: part of it is typed. */
  isTyped: boolean;
}

const OPTIONS_MAX = 50;
const OPEN = '{{';
const CLOSE = '}}';

/** Null: nothing to offer. `asked`: by a key, with nothing typed that asks for a path. */
export function offersAt(
  text: string,
  caret: number,
  { places, asked, paths }: { places: Places; asked: boolean; paths: readonly KnownPath[] },
): Offers | null {
  if (places === 'path') {
    // A complete path is exchanged for any other.
    const isComplete = asked && paths.some(({ path }) => path === text.trim());
    return offered(paths, isComplete ? '' : text.trim(), 0, text.length, asked);
  }
  const open = text.lastIndexOf(OPEN, caret - OPEN.length);
  const inside = open >= 0 && caret >= open + OPEN.length && !text.slice(open, caret).includes(CLOSE);
  if (!inside) return asked ? offered(paths, '', caret, caret, true) : null;
  return offered(paths, text.slice(open + OPEN.length, caret).trim(), open, endOf(text, caret), true);
}

/** Of the place in which the caret is: behind its braces, or the caret where it has none yet. */
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

/** The text with the chosen path, and the caret behind it. */
export function withPath(text: string, { from, to }: Offers, path: string, places: Places) {
  const inserted = places === 'path' ? path : `${OPEN}${path}${CLOSE}`;
  return { text: text.slice(0, from) + inserted + text.slice(to), caret: from + inserted.length };
}

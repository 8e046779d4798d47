import type { Word } from '../code/completions.ts';
import { shownValue, type KnownPath } from './mapping.ts';

/**
 * The message's name in a module: the first parameter of its default export. No two parts beside each other may be the
 * same white space: code with much of it would take minutes.
 */
const PARAMETER = /export\s+default\s+(?:async\s+)?(?:function\b\s*(?:[\w$]+\s*)?\(\s*|\(\s*)?([A-Za-z_$][\w$]*)/;
/** A path as code says it. */
const PLAIN = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;

/** `msg.payload.body` and so on, with the name that the script uses for its message, each with its last value. */
export function codeWords(code: string, paths: readonly KnownPath[]): Word[] {
  const [, name = 'msg'] = PARAMETER.exec(code) ?? [];
  const plain = paths.filter(({ path }) => PLAIN.test(path));
  return [
    { label: name },
    ...plain.map(({ path, value }) => ({
      label: `${name}.${path}`,
      ...(value !== undefined && { detail: shownValue(value) }),
    })),
  ];
}

import { RE2JS } from 're2js';
import { clip } from '#common/clip.ts';
import { NodeError } from './kind.ts';

/**
 * Regular expressions for native nodes and schemas: re2js, whose time is linear in the text
 * (docs/spec/nodes.md#patterns). Linear time can still be long: a pattern of 600 instructions took 12 µs per character
 * if its automaton could not be cached. So the product of the two is limited as well, and a text beyond the limit is
 * refused.
 */
const PATTERN_CHARS_MAX = 1_000;
const PROGRAM_MAX = 2_500;
/** Instructions times characters of one match: about 0.1 s at worst. */
export const MATCH_WORK_MAX = 4_000_000;

/** For a match on the event loop: at worst about 5 ms. Longer ones belong in the pattern thread (`Run.matches`). */
export const MATCH_WORK_AT_ONCE_MAX = 100_000;

export interface LinearPattern {
  readonly source: string;
  /** Instructions: the maximum cost of a match per character. */
  readonly size: number;
  /** Whether the pattern is found anywhere in the text. Throws NodeError `pattern_too_costly`. */
  test(text: string): boolean;
  /** Throws NodeError `pattern_too_costly` if `test` would. */
  checkLength(text: string): void;
}

/** Compiles a pattern in JavaScript syntax; throws RangeError with a plain sentence. */
export function linearPattern(source: string): LinearPattern {
  if (source.length > PATTERN_CHARS_MAX)
    throw new RangeError(`expected a pattern of at most ${PATTERN_CHARS_MAX} characters`);
  const compiled = compile(source);
  const program = compiled.programSize();
  if (program > PROGRAM_MAX)
    throw new RangeError(`the pattern "${clip(source)}" is too large: its repetitions multiply`);
  const checkLength = (text: string): void => {
    if (text.length * program <= MATCH_WORK_MAX) return;
    throw new NodeError(
      'pattern_too_costly',
      `a string of ${text.length} characters is too long for the pattern "${clip(source)}"`,
    );
  };
  return {
    source,
    size: program,
    test(text) {
      checkLength(text);
      return compiled.test(text);
    },
    checkLength,
  };
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : 'it cannot be read';
    throw new RangeError(
      `the pattern "${clip(source)}" is not valid: ${clip(reason)} (look-around and back-references are not available)`,
      { cause: error },
    );
  }
}

/** The length of a value that is quoted in an error. */
const QUOTED_CHARS_MAX = 60;

/**
 * The start of a text, with an ellipsis if it has more than `charsMax` UTF-16 code units. Never splits a surrogate
 * pair.
 */
export function clip(text: string, charsMax: number = QUOTED_CHARS_MAX): string {
  if (text.length <= charsMax) return text;
  const start = text.slice(0, charsMax);
  return `${start.isWellFormed() ? start : start.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

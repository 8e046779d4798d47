/**
 * Characters that a terminal interprets instead of showing: all control characters except the line feed, and changes of
 * text direction.
 */
const OBEYED = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text for a terminal. Much of the output of a command comes from other sources: from the service, which root's
 * command line need not trust, from plugins, from names of files.
 */
export function printable(text: string): string {
  return text.replaceAll(OBEYED, '\ufffd');
}

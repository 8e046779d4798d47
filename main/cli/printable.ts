/**
 * Characters that a terminal does not show but obeys: all control characters except the line feed, and changes of
 * direction.
 */
const OBEYED = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text for a terminal. Much of what a command prints is not ours: it comes from the service, which root's command line
 * does not have to believe, from plugins, from names of files.
 */
export function printable(text: string): string {
  return text.replaceAll(OBEYED, '\ufffd');
}

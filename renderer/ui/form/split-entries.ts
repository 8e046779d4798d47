/**
 * The entries of a list that was typed or pasted as one text: separated by commas, semicolons, tabs and line breaks. A
 * blank separates only if each part looks like an address, a path or a name with digits or signs, because an entry may
 * be a text of several words.
 */
export function splitEntries(text: string): string[] {
  return text
    .split(/[,;\t\r\n]+/)
    .flatMap((part) => byBlanks(part.trim()))
    .filter((entry) => entry !== '');
}

const CODE = /[\d:/.*_-]/;

function byBlanks(part: string): string[] {
  const words = part.split(/\s+/);
  return words.every((word) => CODE.test(word)) ? words : [part];
}

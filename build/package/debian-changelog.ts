/**
 * The changelog in Debian's format, from CHANGELOG.md: each section is an entry, each of its lines an item. The first
 * section becomes the version of the package, whatever its heading. The sections have no dates, so each gets the day after
 * that of the section below it.
 */
const OLDEST = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;
const COLUMNS = 78;

/** `version` in Debian's notation; `maintainer` as `Name <address>`. */
export function debianChangelog(changelog: string, version: string, maintainer: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const entries = sections.map((section, index) => {
    const [title = '', ...lines] = section.split('\n');
    const named = index === 0 ? version : (title.split(' ')[0] ?? '');
    const items = lines.filter((line) => line.trim() !== '').flatMap(itemOf);
    return [
      `sluice (${named}) stable; urgency=medium`,
      '',
      ...items,
      '',
      ` -- ${maintainer}  ${day(sections.length - 1 - index)}`,
      '',
    ].join('\n');
  });
  return entries.join('\n');
}

const day = (count: number): string => new Date(OLDEST + count * DAY_MS).toUTCString().replace('GMT', '+0000');

function itemOf(line: string): string[] {
  const text = line.replace(/^[-#\s]+/, '').replaceAll(/\*\*|`/g, '');
  return wrapped(text, COLUMNS - 4).map((part, index) => `${index === 0 ? '  * ' : '    '}${part}`);
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

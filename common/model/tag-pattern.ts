/**
 * The format of tag paths and of patterns for them: `*` matches any characters within one name, `**` as the last name
 * matches everything below.
 */
export const TAG_PATH = /^[A-Za-z0-9_-]{1,64}(?:\/[A-Za-z0-9_-]{1,64}){0,7}$/;
export const TAG_PATTERN = /^[A-Za-z0-9_*-]{1,64}(?:\/[A-Za-z0-9_*-]{1,64}){0,7}$/;

/** True if `path` matches `pattern`. Linear in the path for one star per name; names have at most 64 characters. */
export function tagMatches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const names = path.split('/');
  if (wanted.at(-1) === '**') {
    const folder = wanted.slice(0, -1);
    return names.length > folder.length && folder.every((name, index) => nameMatches(name, names[index] ?? ''));
  }
  return wanted.length === names.length && wanted.every((name, index) => nameMatches(name, names[index] ?? ''));
}

export function isTagPattern(text: string): boolean {
  return text.includes('*');
}

/** Greedy with a single backtracking point, so never worse than the product of both lengths. */
function nameMatches(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let mark = 0;
  let next = 0;
  while (at < name.length) {
    if (next < pattern.length && pattern[next] === '*') {
      star = next++;
      mark = at;
    } else if (next < pattern.length && pattern[next] === name[at]) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++mark;
    } else return false;
  }
  while (pattern[next] === '*') next++;
  return next === pattern.length;
}

import { freeId } from '#common/model/free-id.ts';

/** "Filling line 2" → "filling-line-2": the ID that most users would have typed. Empty if no character can be used. */
export function idFrom(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '');
}

/**
 * A free ID for an object with that name. A name in another script, such as 充填ライン, results in no ID: it gets the next
 * free one of its type, such as `pipeline-3`. Empty while there is no name.
 */
export function proposedId(name: string, kind: 'pipeline' | 'project', taken: ReadonlySet<string>): string {
  if (name.trim() === '') return '';
  const id = idFrom(name);
  const losesLetters = /\p{L}/u.test(name) && !/[a-z]/.test(id);
  if (id !== '' && !losesLetters) return freeId(id, taken);
  for (let number = taken.size + 1; ; number++) if (!taken.has(`${kind}-${number}`)) return `${kind}-${number}`;
}

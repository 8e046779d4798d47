/** The search texts of an item, the most significant first. */
export interface Findable {
  label: string;
  /** Synonyms, separated by spaces. */
  words: string;
  /** Its description. */
  note: string;
}

/** Items that contain every word of the query, the best match first, otherwise in their order. */
export function foundBy<T>(list: readonly T[], query: string, textOf: (item: T) => Findable): T[] {
  const asked = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (asked.length === 0) return [...list];
  return list
    .map((item) => ({ item, rank: rankOf(textOf(item), asked) }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** The worst rank of a word: 0 the label begins with it, 1 a word of the label, 2 a synonym, 3 anywhere. */
function rankOf({ label, words, note }: Findable, asked: readonly string[]): number {
  const name = label.toLocaleLowerCase();
  const others = words.toLocaleLowerCase();
  const text = `${name} ${others} ${note.toLocaleLowerCase()}`;
  const rankOfWord = (word: string): number => {
    if (name.startsWith(word)) return 0;
    if (begins(name, word)) return 1;
    if (begins(others, word)) return 2;
    return text.includes(word) ? 3 : Infinity;
  };
  return Math.max(...asked.map(rankOfWord));
}

const begins = (text: string, word: string) => text.split(/[\s,-]+/).some((part) => part.startsWith(word));

import MiniSearch from 'minisearch';
import { type Found, INDEX_GLOBAL, SEARCH_OPTIONS } from './client/search-options.ts';
import type { Section } from './render.ts';
import type { Source } from './sources.ts';

/** The part of a section's text in which a result looks for its excerpt. */
const EXCERPT_CHARS_MAX = 4_000;

export interface Indexed {
  source: Source;
  sections: readonly Section[];
}

/** The script that passes the finished index to the search of the page. */
export function searchIndexScript(pages: readonly Indexed[]): string {
  const index = new MiniSearch<Found>({
    ...SEARCH_OPTIONS,
    extractField: (found, field) => (field === 'id' ? found.id : Reflect.get(found, field)),
  });
  index.addAll(pages.flatMap(foundOf).map((found, id) => ({ ...found, id })));
  return `globalThis.${INDEX_GLOBAL}=${JSON.stringify(JSON.stringify(shortened(index)))};\n`;
}

function foundOf({ source, sections }: Indexed): Omit<Found, 'id'>[] {
  return sections
    .filter(({ title, text }) => title !== '' || text !== '')
    .map(({ title, anchor, text }) => ({
      page: source.title,
      title,
      url: anchor === '' ? source.path : `${source.path}#${anchor}`,
      text,
    }));
}

/** The whole text is indexed; only its beginning is stored for display. */
function shortened(index: MiniSearch<Found>): unknown {
  const plain = index.toJSON();
  for (const stored of Object.values(plain.storedFields)) {
    const { text } = stored;
    if (typeof text === 'string') stored['text'] = text.slice(0, EXCERPT_CHARS_MAX);
  }
  return plain;
}

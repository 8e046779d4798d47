import type { Options } from 'minisearch';

/** The search entry of a section: the builder writes it, the page's script reads it. */
export interface Found {
  id: number;
  /** Of the page. */
  page: string;
  /** Of the section; empty for the page itself. */
  title: string;
  /** From the site's root, with the anchor. */
  url: string;
  text: string;
}

/** Before pages about the inside of Sluice and its past versions. */
const FOR_USERS = /^(guides|reference|plugins|GLOSSARY)/;

/** One set for both sides: an index is only readable with the options that it was made with. */
export const SEARCH_OPTIONS: Options<Found> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['page', 'title', 'url', 'text'],
  searchOptions: {
    boost: { title: 3, page: 2 },
    boostDocument: (_id, _term, stored) => (FOR_USERS.test(String(stored?.['url'])) ? 1 : 0.4),
    prefix: (term) => term.length > 1,
    fuzzy: 0.15,
  },
};

/** The global that search-index.js sets: a script, so that the search also works from file: addresses. */
export const INDEX_GLOBAL = 'sluiceSearchIndex';

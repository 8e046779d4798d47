import type { Options } from 'minisearch';

/** The search entry of a section: the builder writes it, the script of the page reads it. */
export interface Found {
  id: number;
  /** Of the page. */
  page: string;
  /** The heading of the section; empty for the page itself. */
  title: string;
  /** Relative to the site's root, with the anchor. */
  url: string;
  text: string;
}

/** Ranks pages for users above those about the inside of Sluice and past versions. */
const FOR_USERS = /^(guides|reference|plugins|GLOSSARY)/;

/** Shared by both sides: an index can only be read with the options with which it was created. */
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

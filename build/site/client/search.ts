import MiniSearch, { type SearchResult } from 'minisearch';
import { type Found, INDEX_GLOBAL, SEARCH_OPTIONS } from './search-options.ts';

const RESULTS_MAX = 20;
const EXCERPT_CHARS = 160;
/** Characters of the excerpt before the match. */
const LEAD_CHARS = 40;
const QUERY_CHARS_MAX = 200;

let loading: Promise<MiniSearch<Found>> | undefined;

/** The index is loaded when the field is first used. */
function loadIndex(root: string): Promise<MiniSearch<Found>> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${root}assets/search-index.js`;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error('The search index could not be loaded.')));
    document.head.append(script);
  }).then(() => MiniSearch.loadJSON(String(Reflect.get(globalThis, INDEX_GLOBAL)), SEARCH_OPTIONS));
  loading.catch(() => (loading = undefined));
  return loading;
}

export function startSearch(page: Document): void {
  const input = page.querySelector<HTMLInputElement>('#search');
  const list = page.querySelector<HTMLElement>('#results');
  const status = page.querySelector<HTMLElement>('#search-status');
  if (input === null || list === null || status === null) return;
  const root = page.body.dataset['root'] ?? '';

  const show = async (): Promise<void> => {
    const query = input.value.trim().slice(0, QUERY_CHARS_MAX);
    const index = query === '' ? null : await loadIndex(root);
    // The field may have changed while the index was loading: its own event handles that.
    if (query !== input.value.trim().slice(0, QUERY_CHARS_MAX)) return;
    const found = index === null ? [] : search(index, query);
    list.replaceChildren(...found.map((result) => row(result, root)));
    list.hidden = found.length === 0;
    status.textContent = query === '' ? '' : countText(found.length, query);
    status.hidden = query === '';
  };
  const failed = (error: unknown): void => {
    status.textContent = error instanceof Error ? error.message : String(error);
    status.hidden = false;
  };
  input.addEventListener('input', () => void show().catch(failed));
  input.addEventListener('focus', () => void loadIndex(root).catch(failed));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') list.querySelector('a')?.click();
    if (event.key !== 'Escape') return;
    input.value = '';
    void show().catch(failed);
  });
  page.addEventListener('keydown', (event) => moveBy(event, input, list));
  page.querySelector('#search-form')?.addEventListener('submit', (event) => event.preventDefault());
  if (input.value !== '') void show().catch(failed);
}

/** Sections with every word first; if there are none, those with any of them. */
function search(index: MiniSearch<Found>, query: string): SearchResult[] {
  const all = index.search(query, { combineWith: 'AND' });
  return (all.length > 0 ? all : index.search(query)).slice(0, RESULTS_MAX);
}

function countText(count: number, query: string): string {
  if (count === 0) return `Nothing found for “${query}”.`;
  return count === RESULTS_MAX ? `The first ${RESULTS_MAX} results` : `${count} ${count === 1 ? 'result' : 'results'}`;
}

/** `/` moves the focus to the field, the arrow keys through field and results. */
function moveBy(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const typing = event.target instanceof HTMLInputElement;
  if (event.key === '/' && !typing) {
    event.preventDefault();
    input.focus();
  }
  const stops = [input, ...list.querySelectorAll('a')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  if (at < 0 || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
  event.preventDefault();
  stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}

function row(result: SearchResult, root: string): HTMLElement {
  const { page, title, url, text } = result as SearchResult & Found;
  const link = document.createElement('a');
  link.href = root + url;
  const head = document.createElement('strong');
  head.append(...marked(title === '' ? page : title, result.terms));
  const place = document.createElement('span');
  place.className = 'place';
  place.textContent = title === '' ? '' : page;
  const excerpt = document.createElement('span');
  excerpt.className = 'excerpt';
  excerpt.append(...marked(excerptOf(text, result.terms), result.terms));
  link.append(head, place, excerpt);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** The part of the text with the most matches. */
function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const wordsFrom = (at: number): number => {
    const part = lower.slice(at, at + EXCERPT_CHARS);
    return terms.filter((term) => part.includes(term)).length;
  };
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const starts = [0, ...places.map((at) => lower.indexOf(' ', Math.max(0, at - LEAD_CHARS)) + 1)];
  const start = starts.reduce((best, at) => (wordsFrom(at) > wordsFrom(best) ? at : best));
  const end = start + EXCERPT_CHARS;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

/** The text as nodes, with matches in `mark` elements; nothing of it is parsed as HTML. */
function marked(text: string, terms: readonly string[]): (Node | string)[] {
  if (terms.length === 0) return [text];
  const words = terms.map((term) => term.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|');
  return text.split(new RegExp(`(${words})`, 'giu')).map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

import type { AuditRow } from '#common/model/audit.ts';

/**
 * The rows of the journal in a list, newest first: older pages are loaded on scrolling, new rows are added at the top.
 * While the list is scrolled away from the top, new rows wait, so that nothing moves.
 *
 * Limits: 200,000 rows in the list; 5,000 waiting ones. A list that is not scrolled has at most 5,000: then the newest
 * page is loaded again.
 */
export const ROWS_MAX = 200_000;
const WAITING_MAX = 5_000;
const WATCHED_MAX = 5_000;
const FIRST_ROWS = 100;
const PAGE_ROWS = 1_000;
const NEWS_PAGES_MAX = 5;
/** The two chains of the journal are merged by time: a row can arrive a little after a newer one. */
const LATE_MS_MAX = 1_000;

export interface FeedState {
  rows: readonly AuditRow[];
  /** New rows that are not shown yet. */
  waiting: number;
  /** There are more waiting rows than are counted. */
  waitingMore: boolean;
  loading: 'first' | 'older' | null;
  /** There are no older rows. */
  complete: boolean;
  /** The time down to which the search has advanced, while it continues without having filled a page. */
  searchedTo: string | null;
  error: unknown;
}

export interface FeedQuery {
  /** Rows of this time and later. */
  from?: string;
  cursor?: string;
  limit: number;
}
interface FeedPage {
  items: AuditRow[];
  next: string | null;
  searchedTo: string | null;
  /** The time of the newest row that was read, whether it matched or not. */
  newest: string | null;
}
export type ReadRows = (query: FeedQuery, signal: AbortSignal) => Promise<FeedPage>;

/** Combines related rows into one line. `add` gets the rows page by page, newest first. */
export interface Folding {
  add(rows: readonly AuditRow[]): AuditRow[];
  /** Adds rows that are newer than all previous ones; `shown` are the current lines. */
  addNewer(rows: readonly AuditRow[], shown: readonly AuditRow[]): AuditRow[];
}

const NOTHING: FeedState = {
  rows: [],
  waiting: 0,
  waitingMore: false,
  loading: 'first',
  complete: false,
  searchedTo: null,
  error: null,
};

export class JournalFeed {
  readonly #read: ReadRows;
  readonly #fold: () => Folding;
  #folding: Folding;
  #state = NOTHING;
  #next: string | null = null;
  #waiting: AuditRow[] = [];
  /** Rows of the last second before the newest one, as text: they are returned again by the next request. */
  #recent = new Set<string>();
  #newestMs = -Infinity;
  #follows = true;
  #looking = false;
  #stopped = new AbortController();
  readonly #listeners = new Set<() => void>();

  constructor(read: ReadRows, fold: () => Folding) {
    this.#read = read;
    this.#fold = fold;
    this.#folding = fold();
  }

  readonly state = (): FeedState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Loads the newest page; the previous rows remain until it arrives. */
  async start(): Promise<void> {
    this.#stopped.abort();
    const { signal } = (this.#stopped = new AbortController());
    this.#set({ loading: 'first', searchedTo: null });
    await this.#tried(signal, async () => {
      const page = await this.#readFound({ limit: FIRST_ROWS }, signal);
      if (signal.aborted) return;
      this.#folding = this.#fold();
      this.#recent = new Set();
      this.#newestMs = -Infinity;
      this.#waiting = [];
      this.#remember(page.items, page.newest);
      this.#next = page.next;
      this.#set({ ...NOTHING, rows: this.#folding.add(page.items), loading: null, complete: page.next === null });
    });
  }

  /**
   * The next page that has rows, or the last one. The time of a search may run out before it has found any: it continues
   * where it ended.
   */
  async #readFound(query: FeedQuery, signal: AbortSignal): Promise<FeedPage> {
    let newest: string | null = null;
    for (let asked = query; ;) {
      const page = await this.#read(asked, signal);
      newest ??= page.newest;
      if (signal.aborted || page.items.length > 0 || page.next === null) return { ...page, newest };
      this.#set({ searchedTo: page.searchedTo });
      asked = { ...query, cursor: page.next };
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Loads the next older page unless it is already being loaded, or there is none. */
  async older(): Promise<void> {
    const { loading, rows } = this.#state;
    if (loading !== null || this.#next === null || rows.length >= ROWS_MAX) return;
    const { signal } = this.#stopped;
    this.#set({ loading: 'older' });
    await this.#tried(signal, async () => {
      const page = await this.#readFound({ cursor: this.#next ?? '', limit: PAGE_ROWS }, signal);
      if (signal.aborted) return;
      this.#next = page.next;
      const added = this.#folding.add(page.items);
      const rest = { loading: null, complete: page.next === null, searchedTo: null, error: null };
      this.#set({ rows: this.#state.rows.concat(added), ...rest });
    });
  }

  /** Whether the newest row is visible: then new ones are shown immediately. */
  follow(on: boolean): void {
    if (this.#follows === on) return;
    this.#follows = on;
    if (on) this.show();
  }

  /** Shows the waiting rows. */
  show(): void {
    this.#follows = true;
    if (this.#state.waitingMore) return void this.start();
    const fresh = this.#waiting;
    if (fresh.length === 0) return;
    this.#waiting = [];
    this.#set({ rows: this.#folding.addNewer(fresh, this.#state.rows), waiting: 0 });
  }

  /** Fetches new rows. */
  async look(): Promise<void> {
    const { loading, waitingMore } = this.#state;
    if (this.#looking || loading === 'first' || waitingMore) return;
    if (this.#follows && this.#state.rows.length > WATCHED_MAX && this.#waiting.length === 0) return this.start();
    const { signal } = this.#stopped;
    this.#looking = true;
    try {
      await this.#tried(signal, () => this.#takeNews(signal));
    } finally {
      this.#looking = false;
    }
  }

  async #takeNews(signal: AbortSignal): Promise<void> {
    const from = Number.isFinite(this.#newestMs) ? new Date(this.#newestMs - LATE_MS_MAX).toISOString() : undefined;
    const found: AuditRow[] = [];
    let cursor: string | null = null;
    let newest: string | null = null;
    for (let page = 0; page < NEWS_PAGES_MAX && (page === 0 || cursor !== null); page++) {
      const query = { limit: PAGE_ROWS, ...(from !== undefined && { from }), ...(cursor !== null && { cursor }) };
      const answer: FeedPage = await this.#read(query, signal);
      if (signal.aborted) return;
      found.push(...answer.items);
      cursor = answer.next;
      newest ??= answer.newest;
    }
    const fresh = found.filter((row) => !this.#recent.has(JSON.stringify(row)));
    this.#set({ error: null });
    this.#remember(found, newest);
    if (fresh.length === 0) return;
    this.#waiting = inOrder([...fresh, ...this.#waiting]);
    if (cursor !== null || this.#waiting.length > WAITING_MAX) this.#set({ waitingMore: true });
    this.#set({ waiting: this.#waiting.length });
    if (this.#follows) this.show();
  }

  /**
   * The next request begins at the newest row of the journal, not at the newest match: a search with few matches would
   * otherwise read the whole range again every few seconds.
   */
  #remember(rows: readonly AuditRow[], newest: string | null): void {
    const times = newest === null ? rows.map(({ time }) => time) : [newest, ...rows.map(({ time }) => time)];
    for (const time of times) this.#newestMs = Math.max(this.#newestMs, Date.parse(time));
    // An empty journal: then every row is new.
    if (!Number.isFinite(this.#newestMs)) return;
    const since = new Date(this.#newestMs - LATE_MS_MAX).toISOString();
    this.#recent = new Set(rows.filter(({ time }) => time >= since).map((row) => JSON.stringify(row)));
  }

  async #tried(signal: AbortSignal, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!signal.aborted) this.#set({ error, loading: null });
    }
  }

  #set(change: Partial<FeedState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Newest first; rows of the same millisecond keep their order. */
export function inOrder(rows: readonly AuditRow[]): AuditRow[] {
  return rows.toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
}

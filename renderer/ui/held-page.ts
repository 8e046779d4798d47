import { useLocationProperty } from 'wouter/use-browser-location';

/**
 * Determines the shown page: the one of the address. While a page is held, the browser's Back and Forward change only
 * the address, and the holder decides whether the page follows the address or the reverse. Nothing is added to the
 * history for this, so a later Back works as usual.
 *
 * Each entry has its number in `history.state`, without which the distance to the held page is unknown.
 *
 * Known weakness: an entry that was created by typing another `#part` into the address has no number. Going back to the
 * page from beyond such an entry may fail; the page remains shown in any case.
 */
interface Place {
  readonly path: string;
  readonly search: string;
  readonly entry: number;
}

/** The possible results of a Back or Forward. */
export interface WayOut {
  /** The page follows the address. */
  readonly go: () => void;
  /** The address goes back to the page. */
  readonly stay: () => void;
}

let held: Place | null = null;

function here(): Place {
  const state: { entry?: number } | null = history.state;
  // The first entry of a window was not created by the UI and has no state.
  return { path: location.pathname, search: location.search, entry: state?.entry ?? 0 };
}

/** The path of the shown page, and a function to open another one. */
function useShownPath(): [path: string, navigate: typeof navigate] {
  return [useLocationProperty(() => (held ?? here()).path), navigate];
}

const useShownSearch = (): string => useLocationProperty(() => (held ?? here()).search);

/** For wouter's Router: the location that selects the page. */
export const SHOWN_PAGE = { hook: useShownPath, searchHook: useShownSearch };

/** Pages that the held page itself opens are not checked here. */
function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const wasHeld = held !== null;
  held = null;
  const { entry } = here();
  if (replace) history.replaceState({ entry }, '', to);
  else history.pushState({ entry: entry + 1 }, '', to);
  if (wasHeld) held = here();
}

/**
 * Holds the shown page, one at a time, until the returned function is called; `ask` is called for each Back and
 * Forward.
 */
export function holdPage(ask: (way: WayOut) => void): () => void {
  held = here();
  const hear = () => {
    const now = here();
    if (now.path === held?.path && now.search === held.search) held = now;
    else ask({ go: follow, stay: goBack });
  };
  window.addEventListener('popstate', hear);
  return () => {
    window.removeEventListener('popstate', hear);
    held = null;
    tell();
  };
}

function follow(): void {
  held = here();
  tell();
}

function goBack(): void {
  const steps = held === null ? 0 : held.entry - here().entry;
  // Zero would reload the page.
  if (steps !== 0) history.go(steps);
}

/** wouter reads the location again. */
function tell(): void {
  window.dispatchEvent(new PopStateEvent('popstate'));
}

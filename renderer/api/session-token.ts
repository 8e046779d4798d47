/**
 * The second credential of the session, which is sent with the cookie in every call. It is kept in localStorage: a new
 * tab needs no log-in, and a page on another port, to which the browser sends the cookie, cannot read it.
 */
const STORED = 'sluice.session-token';

/** For a browser that stores nothing for this page: the token is lost when the page is reloaded. */
let inMemory = '';

/** Empty if nobody has logged in. */
export function sessionToken(): string {
  const kept = storage();
  return kept === null ? inMemory : (kept.getItem(STORED) ?? '');
}

export function rememberSessionToken(token: string): void {
  inMemory = token;
  storage()?.setItem(STORED, token);
}

/** Replaces the token by the result of `work`. Until then, calls with the former one are refused. */
export async function replaceSessionToken(work: Promise<string>): Promise<void> {
  const done = work.then(rememberSessionToken);
  replacing = done.catch(() => undefined);
  await done;
}

/** Resolves when no replacement of the token is in progress. */
export function settledToken(): Promise<void> {
  return replacing;
}

let replacing: Promise<void> = Promise.resolve();

export function forgetSessionToken(): void {
  inMemory = '';
  storage()?.removeItem(STORED);
}

/** Calls `listener` when another tab logs in or out. Returns a function that ends this. */
export function onSessionElsewhere(listener: () => void): () => void {
  const hear = ({ key }: StorageEvent) => (key === STORED || key === null) && listener();
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}

function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

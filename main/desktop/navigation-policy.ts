/**
 * Allowed destinations of the window: only the UI's own origin. The window shows pages with keys; a foreign page inside
 * it could imitate them.
 */
export function mayNavigate(target: string, uiOrigin: string): boolean {
  const url = parsed(target);
  // The origin of a blob: address is that of its page, so the scheme is checked too.
  return (
    url !== null && url.protocol === new URL(uiOrigin).protocol && url.origin === uiOrigin && hasNoCredentials(url)
  );
}

/**
 * Addresses that the window's pages may load: their own origin, and content that they created themselves (a file to
 * save).
 */
export function mayRequest(target: string, uiOrigin: string): boolean {
  if (mayNavigate(target, uiOrigin)) return true;
  const url = parsed(target);
  if (url === null) return false;
  if (url.protocol === 'blob:') return url.origin === uiOrigin;
  return url.protocol === 'data:' || url.protocol === 'devtools:';
}

/** Users must be able to read the whole question, in a box that fits the screen. */
const OUTSIDE_CHARS_MAX = 1_000;

/** Whether an address may be opened in the system's browser: https, a host, no user name or password, not too long. */
export function mayOpenOutside(target: string): boolean {
  const url = parsed(target);
  if (url !== null && url.href.length > OUTSIDE_CHARS_MAX) return false;
  return url !== null && url.protocol === 'https:' && url.hostname !== '' && hasNoCredentials(url);
}

function parsed(target: string): URL | null {
  return URL.canParse(target) ? new URL(target) : null;
}

function hasNoCredentials(url: URL): boolean {
  return url.username === '' && url.password === '';
}

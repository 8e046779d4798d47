import { readFileSync } from 'node:fs';

/**
 * The fragment with which the window fills in the set-up token, which its user could read anyway. Empty once Sluice is
 * set up: the file no longer exists. A fragment is never sent to a server, and the page removes it.
 */
export function setupFragment(file: string | null): string {
  if (file === null) return '';
  try {
    return `#token=${encodeURIComponent(readFileSync(file, 'utf8').trim())}`;
  } catch {
    return '';
  }
}

import { mayRequest } from './navigation-policy.ts';

/**
 * Whether a download may be offered to the person, who then chooses where it goes: what the UI made or serves, and
 * nothing in the full screen of a panel, where the question would show the PC's folders.
 */
export function mayDownload(target: string, uiOrigin: string, kiosk: boolean): boolean {
  return !kiosk && mayRequest(target, uiOrigin) && !target.startsWith('devtools:');
}

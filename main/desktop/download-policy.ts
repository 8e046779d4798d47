import { mayRequest } from './navigation-policy.ts';

/**
 * Whether a download may be offered to the user, who then chooses its place: only content that the UI created or
 * serves, and nothing in the full screen of a panel, where the dialog would show the folders of the PC.
 */
export function mayDownload(target: string, uiOrigin: string, kiosk: boolean): boolean {
  return !kiosk && mayRequest(target, uiOrigin) && !target.startsWith('devtools:');
}

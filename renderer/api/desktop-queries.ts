import { call } from './client.ts';
import { useRenewing } from './use-renewing.ts';

/** Fills the screen with the desktop window, or ends that. Needs `access_settings`. */
export function useSetKiosk() {
  return useRenewing(['status'], (on: boolean) => call('POST /desktop/kiosk', { body: { on } }));
}

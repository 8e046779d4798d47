import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from './client.ts';

/** Fills the screen with the desktop window, or ends that. Needs `access_settings`. */
export function useSetKiosk() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) => call('POST /desktop/kiosk', { body: { on } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['status'] }),
  });
}

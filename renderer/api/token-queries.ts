import { useQuery } from '@tanstack/react-query';
import type { NewToken } from '#common/contract/token.ts';
import { call, everyItem } from './client.ts';
import { useRenewing } from './use-renewing.ts';

/** Service tokens; all need `manage_users`. */
const USES_MS = 5_000;

export function useServiceTokens() {
  return useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => everyItem('GET /tokens', { signal }),
    // A use sends no event.
    refetchInterval: USES_MS,
  });
}

/** The response has the value: it is not kept. */
export function useCreateToken() {
  return useRenewing(['tokens'], (input: NewToken) => call('POST /tokens', { body: input }), {
    gcTime: 0,
    awaited: false,
  });
}

export function useRevokeToken() {
  return useRenewing(['tokens'], (id: string) => call('POST /tokens/:token/revoke', { path: { token: id } }));
}

import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isApiError } from '../api/problem.ts';
import { checkSession, isSessionOver } from '../api/session.ts';

/** A refusal by Sluice is a valid response: only a call without a response is retried, twice. */
const retry = (failures: number, error: Error) => failures < 2 && isApiError(error, 'unreachable');

export function createClient(): QueryClient {
  // The first call that finds that the session has ended shows the log-in page.
  const onError = (error: Error) => {
    if (isSessionOver(error)) checkSession(client);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // The appliance is on this PC or its network: "offline" does not mean that it is unreachable.
    defaultOptions: { queries: { retry, networkMode: 'always' }, mutations: { networkMode: 'always' } },
  });
  return client;
}

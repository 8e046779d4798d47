import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useState } from 'react';
import { Router } from 'wouter';
import { isApiError } from '../api/problem.ts';
import { checkSession, isSessionOver } from '../api/session.ts';
import { SHOWN_PAGE } from '../ui/held-page.ts';
import { cssVariablesResolver, theme } from '../ui/theme.ts';
import { SessionGate } from './session-gate.tsx';

/** A refusal by Sluice is a valid response: only a call without a response is retried, twice. */
const retry = (failures: number, error: Error) => failures < 2 && isApiError(error, 'unreachable');

function createClient(): QueryClient {
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

export function App({ nonce }: { nonce: string }) {
  const [client] = useState(createClient);
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={client}>
          <Router {...SHOWN_PAGE}>
            <SessionGate />
          </Router>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}

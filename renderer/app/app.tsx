import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Router } from 'wouter';
import { SHOWN_PAGE } from '../ui/held-page.ts';
import { cssVariablesResolver, theme } from '../ui/theme.ts';
import { SessionGate } from './session-gate.tsx';

export function App({ nonce, client }: { nonce: string; client: QueryClient }) {
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

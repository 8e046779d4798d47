import { useEffect } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { isApiError } from './problem.ts';
import { endSession, readSession, SESSION_KEY } from './session.ts';

/**
 * What Sluice tells by itself (`GET /events`): every event names what is no longer as it was read, and what of it is on
 * the page is read again. The browser opens a stream that broke anew; what was missed meanwhile is read then.
 */
const REFUSED = 'sluice:refused';

/** A request that was refused just now. */
export interface RefusedNews {
  requestId: string;
  code: string;
  status: number;
  route: string | null;
  at: string;
}

/** Which queries (by the first part of their key) each kind of change makes old. */
const OLD: Record<string, readonly string[]> = {
  project: ['projects', 'pipelines', 'routes'],
  pipeline: ['pipelines', 'pipeline', 'revisions', 'routes', 'reach', 'status', 'traffic'],
  key: ['keys', 'reach', 'traffic'],
  person: ['people'],
  role: ['roles', 'people'],
  settings: ['settings', 'status', 'routes'],
  plugin: ['plugins', 'kinds'],
  egress: ['egress-state', 'egress-events', 'egress-event', 'status'],
  connection: ['connections'],
  query: ['queries'],
  tag: ['tags'],
  script: ['scripts'],
  variable: ['variables'],
  file: ['files'],
};

/** Keeps the pages fresh while somebody is logged in. */
export function useLiveEvents(): void {
  const client = useQueryClient();
  useEffect(() => followEvents(client), [client]);
}

/** A stream that the browser gave up is opened anew after so long. */
export const REOPEN_MS = 10_000;

/** Until the function that it gives is called. */
export function followEvents(client: QueryClient): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let broken = false;
  const open = () => {
    source = openStream(client);
    source.addEventListener('open', () => {
      if (broken) void client.invalidateQueries();
      broken = false;
    });
    source.addEventListener('error', () => {
      broken = true;
      if (source?.readyState !== EventSource.CLOSED) return;
      // It was refused: the session is over, or too many windows stand open, of which one may be closed.
      void askWhy(client);
      timer = setTimeout(open, REOPEN_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}

function openStream(client: QueryClient): EventSource {
  const source = new EventSource('/api/v1/events');
  const renew = (names: readonly string[]) =>
    void client.invalidateQueries({ predicate: (query) => names.includes(String(query.queryKey[0])) });
  source.addEventListener('state', () => renew(['status', 'pipelines', 'pipeline', 'routes', 'traffic']));
  source.addEventListener('journal', () => renew(['status']));
  for (const kind of ['pipeline-warning', 'trigger-faults'])
    source.addEventListener(kind, () => renew(['pipeline', 'pipelines']));
  source.addEventListener('egress', () => renew(OLD['egress'] ?? []));
  source.addEventListener('changed', (event) => renew(OLD[String(dataOf(event)['what'])] ?? []));
  source.addEventListener('refused', (event) =>
    window.dispatchEvent(new CustomEvent(REFUSED, { detail: dataOf(event) })),
  );
  return source;
}

async function askWhy(client: QueryClient): Promise<void> {
  try {
    const session = await readSession();
    if (session.kind === 'out') endSession(client, true);
    else client.setQueryData(SESSION_KEY, session);
  } catch (error) {
    if (!isApiError(error)) throw error;
  }
}

function dataOf(event: Event): Record<string, unknown> {
  const data: unknown = event instanceof MessageEvent ? JSON.parse(String(event.data)) : null;
  return typeof data === 'object' && data !== null ? { ...data } : {};
}

/** Calls `listener` for each refusal as it happens. Needs `view_audit`; without it nothing comes. */
export function useRefusedNews(listener: (news: RefusedNews) => void): void {
  useEffect(() => {
    const hear = (event: Event) => event instanceof CustomEvent && listener(event.detail as RefusedNews);
    window.addEventListener(REFUSED, hear);
    return () => window.removeEventListener(REFUSED, hear);
  }, [listener]);
}

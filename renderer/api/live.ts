import { useEffect } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { followStream, type StreamEvent } from './event-stream.ts';
import { isApiError } from './problem.ts';
import { refreshSession } from './session.ts';

/**
 * Events from Sluice (`GET /events`): every event names data that has changed, and the affected data on the page is
 * read again. A broken stream is reopened; missed changes are then read.
 */
const REFUSED = 'sluice:refused';
const RESOURCE = 'sluice:resource';
const RESOURCES = ['connection', 'query', 'tag', 'script', 'variable', 'file'];

/** A request that was refused just now. */
export interface RefusedNews {
  requestId: string;
  code: string;
  status: number;
  route: string | null;
  at: string;
}

/** The queries (by the first part of their key) that each kind of change invalidates. */
const OLD: Record<string, readonly string[]> = {
  project: ['projects', 'pipelines', 'routes'],
  pipeline: ['pipelines', 'pipeline', 'revisions', 'routes', 'reach', 'status', 'traffic'],
  key: ['keys', 'reach', 'traffic'],
  person: ['people', 'tokens'],
  role: ['roles', 'people', 'tokens'],
  token: ['tokens'],
  settings: ['settings', 'status', 'routes'],
  plugin: ['plugins', 'kinds'],
  egress: ['egress-state', 'egress-events', 'egress-event', 'status'],
  presence: ['presence'],
  connection: ['connections'],
  query: ['queries'],
  tag: ['tags', 'write-stops', 'status'],
  script: ['scripts'],
  variable: ['variables'],
  file: ['files'],
};

/** Keeps the pages current while a user is logged in. */
export function useLiveEvents(): void {
  const client = useQueryClient();
  useEffect(() => followEvents(client), [client]);
}

/** A closed stream is opened again after this time; a refused one after `REOPEN_MS`. */
const RECONNECT_MS = 2_000;
export const REOPEN_MS = 10_000;

/** Until the returned function is called. */
export function followEvents(client: QueryClient): () => void {
  const stopped = new AbortController();
  void follow(client, stopped.signal);
  return () => stopped.abort();
}

async function follow(client: QueryClient, signal: AbortSignal): Promise<void> {
  let broken = false;
  const onOpen = () => {
    if (broken) void client.invalidateQueries();
    broken = false;
  };
  while (!signal.aborted) {
    let waitMs = RECONNECT_MS;
    try {
      await followStream(signal, { onOpen, onEvent: (event) => hear(client, event) });
    } catch (error) {
      if (signal.aborted) return;
      if (!isApiError(error)) throw error;
      // It was refused: the session has ended, or too many windows are open, of which one may be closed.
      if (error.code !== 'unreachable') {
        waitMs = REOPEN_MS;
        void askWhy(client);
      }
    }
    broken = true;
    await wait(waitMs, signal);
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => resolve();
  signal.addEventListener('abort', stop);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  });
}

/** The queries that each kind of event invalidates, in addition to `changed`. */
const OLD_BY_KIND: Record<string, readonly string[]> = {
  state: ['status', 'pipelines', 'pipeline', 'routes', 'traffic'],
  journal: ['status'],
  'pipeline-warning': ['pipeline', 'pipelines'],
  'trigger-faults': ['pipeline', 'pipelines'],
  egress: OLD['egress'] ?? [],
};

function hear(client: QueryClient, { kind, data }: StreamEvent): void {
  const detail = dataOf(data);
  if (kind === 'changed' && RESOURCES.includes(String(detail['what']))) window.dispatchEvent(new Event(RESOURCE));
  if (kind === 'refused') window.dispatchEvent(new CustomEvent(REFUSED, { detail }));
  const names = (kind === 'changed' ? OLD[String(detail['what'])] : OLD_BY_KIND[kind]) ?? [];
  if (names.length === 0) return;
  void client.invalidateQueries({ predicate: (query) => names.includes(String(query.queryKey[0])) });
}

async function askWhy(client: QueryClient): Promise<void> {
  try {
    await refreshSession(client);
  } catch (error) {
    if (!isApiError(error)) throw error;
  }
}

function dataOf(text: string): Record<string, unknown> {
  const data: unknown = JSON.parse(text);
  return typeof data === 'object' && data !== null ? { ...data } : {};
}

/** Calls `listener` whenever somebody has changed a resource of a project; until the returned function is called. */
export function onResourceChange(listener: () => void): () => void {
  window.addEventListener(RESOURCE, listener);
  return () => window.removeEventListener(RESOURCE, listener);
}

/** Calls `listener` for each refusal as it happens. Without `view_audit` it is never called. */
export function useRefusedNews(listener: (news: RefusedNews) => void): void {
  useEffect(() => {
    const hear = (event: Event) => event instanceof CustomEvent && listener(event.detail as RefusedNews);
    window.addEventListener(REFUSED, hear);
    return () => window.removeEventListener(REFUSED, hear);
  }, [listener]);
}

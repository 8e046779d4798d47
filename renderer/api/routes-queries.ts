import { useQueries, useQuery } from '@tanstack/react-query';
import type { KeyRecord } from '#common/model/records.ts';
import { call, everyItem } from './client.ts';

/** Routes as hooks. Events invalidate them (live.ts); they are also polled at intervals. */
const NOW_AND_THEN_MS = 15_000;

/** The routes of every project, and the address that callers use. */
export function useRoutes() {
  return useQuery({
    queryKey: ['routes'],
    queryFn: ({ signal }) => call('GET /routes', { signal }),
    refetchInterval: NOW_AND_THEN_MS,
  });
}

export interface RouteName {
  project: string;
  pipeline: string;
  node: string;
}

export function useRoute({ project, pipeline, node }: RouteName) {
  return useQuery({
    queryKey: ['routes', project, pipeline, node],
    queryFn: ({ signal }) =>
      call('GET /projects/:project/pipelines/:pipeline/routes/:node', {
        path: { project, pipeline, node },
        signal,
      }),
  });
}

export function useRoutesOpenApi(project: string, drafts: boolean) {
  return useQuery({
    queryKey: ['routes', 'openapi', project, drafts],
    queryFn: ({ signal }) =>
      call('GET /projects/:project/openapi.json', {
        path: { project },
        query: drafts ? { drafts: 'true' } : {},
        signal,
      }),
  });
}

/** The valid keys of several projects; empty while they are loaded. Needs `access_settings`. */
export function useValidKeys(projects: readonly string[], enabled: boolean): KeyRecord[] {
  return useQueries({
    queries: projects.map((project) => ({
      queryKey: ['keys', project],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        everyItem('GET /projects/:project/keys', { path: { project }, signal }),
      enabled,
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []).filter((key) => key.revokedAt === null),
  });
}

import { useQueries, useQuery } from '@tanstack/react-query';
import type { KeyRecord } from '#common/model/records.ts';
import type { RouteDetail, RouteList } from '#common/model/route-record.ts';
import { call, everyItem } from './client.ts';

/** Routes as hooks. Events invalidate them (live.ts); they are also polled at intervals. */
const NOW_AND_THEN_MS = 15_000;

const part = encodeURIComponent;

/** The routes of every project, and the address that callers use. */
export function useRoutes() {
  return useQuery({
    queryKey: ['routes'],
    queryFn: ({ signal }) => call<RouteList>('GET', '/routes', { signal }),
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
      call<RouteDetail>('GET', `/projects/${part(project)}/pipelines/${part(pipeline)}/routes/${part(node)}`, {
        signal,
      }),
  });
}

const openApiPath = (project: string) => `/projects/${part(project)}/openapi.json`;

export function useRoutesOpenApi(project: string, drafts: boolean) {
  return useQuery({
    queryKey: ['routes', 'openapi', project, drafts],
    queryFn: ({ signal }) =>
      call<unknown>('GET', openApiPath(project), { query: drafts ? { drafts: 'true' } : {}, signal }),
  });
}

/** The keys of several projects, valid ones only; none while they are read. Needs `access_settings`. */
export function useValidKeys(projects: readonly string[], enabled: boolean): KeyRecord[] {
  return useQueries({
    queries: projects.map((project) => ({
      queryKey: ['keys', project],
      queryFn: ({ signal }: { signal: AbortSignal }) => everyItem<KeyRecord>(`/projects/${part(project)}/keys`, signal),
      enabled,
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []).filter((key) => key.revokedAt === null),
  });
}

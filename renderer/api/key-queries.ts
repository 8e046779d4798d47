import { useQuery } from '@tanstack/react-query';
import type { KeyReach } from '#common/model/key-reach.ts';
import type { CallerTraffic, KeyTraffic } from '#common/model/traffic.ts';
import type { Scope } from '#common/scopes.ts';
import { call, type Page } from './client.ts';

/** The users of each key, and the reach of a key. All need `access_settings`. */
const LIVE_MS = 2_000;
const part = encodeURIComponent;
const keyPath = (project: string, keyId: string) => `/projects/${part(project)}/keys/${part(keyId)}`;

/** Every valid key of the project with its traffic of the last 15 minutes. */
export function useKeyCallers(project: string) {
  return useQuery({
    queryKey: ['traffic', 'keys', project],
    queryFn: async ({ signal }) =>
      (await call<Page<CallerTraffic>>('GET', '/traffic/keys', { query: { project }, signal })).items,
    refetchInterval: LIVE_MS,
    retry: false,
  });
}

export function useKeyTraffic(project: string, keyId: string) {
  return useQuery({
    queryKey: ['traffic', 'key', project, keyId],
    queryFn: ({ signal }) => call<KeyTraffic>('GET', `${keyPath(project, keyId)}/traffic`, { signal }),
    refetchInterval: LIVE_MS,
    retry: false,
  });
}

export function useKeyReach(project: string, keyId: string) {
  return useQuery({
    queryKey: ['reach', project, keyId],
    queryFn: ({ signal }) => call<KeyReach>('GET', `${keyPath(project, keyId)}/reach`, { signal }),
  });
}

/** For a key that is not created yet. The previous response is kept until the next one arrives. */
export function useReachOf(project: string, scopes: readonly Scope[]) {
  return useQuery({
    queryKey: ['reach', project, 'scopes', ...scopes],
    queryFn: ({ signal }) => call<KeyReach>('POST', `/projects/${part(project)}/reach`, { body: { scopes }, signal }),
    placeholderData: (before) => before,
  });
}

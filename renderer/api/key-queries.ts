import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { UseKind } from '#common/model/key-reach.ts';
import type { KeyLimits } from '#common/model/key-limits.ts';
import type { KeyRecord } from '#common/model/records.ts';
import type { KeyTrafficRange } from '#common/model/traffic.ts';
import type { Scope } from '#common/scopes.ts';
import { call } from './client.ts';
import { useRenewing } from './use-renewing.ts';

/** The callers of each key, and the reach of a key. All need `access_settings`. */
const LIVE_MS = 2_000;

/** Every valid key of every project, with its traffic of the last 15 minutes and of the last 24 hours. */
export function useKeyCallers() {
  return useQuery({
    queryKey: ['traffic', 'keys'],
    queryFn: async ({ signal }) => (await call('GET /traffic/keys', { query: {}, signal })).items,
    refetchInterval: LIVE_MS,
    retry: false,
  });
}

export function useKeyTraffic(project: string, keyId: string, range: KeyTrafficRange = '8h') {
  return useQuery({
    queryKey: ['traffic', 'key', project, keyId, range],
    queryFn: ({ signal }) =>
      call('GET /projects/:project/keys/:key/traffic', { path: { project, key: keyId }, query: { range }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_MS,
    retry: false,
  });
}

export function useKeyReach(project: string, keyId: string) {
  return useQuery({
    queryKey: ['reach', project, keyId],
    queryFn: ({ signal }) => call('GET /projects/:project/keys/:key/reach', { path: { project, key: keyId }, signal }),
  });
}

/** The limits that the key needs; asked for by a button. */
export function useProposal() {
  return useMutation({
    mutationFn: ({ project, id }: KeyRecord) =>
      call('GET /projects/:project/keys/:key/proposal', { path: { project, key: id } }),
  });
}

/** For a key that is not created yet. The previous response is kept until the next one arrives. */
export function useReachOf(project: string, scopes: readonly Scope[]) {
  return useQuery({
    queryKey: ['reach', project, 'scopes', ...scopes],
    queryFn: ({ signal }) => call('POST /projects/:project/reach', { path: { project }, body: { scopes }, signal }),
    placeholderData: (before) => before,
  });
}

/** Which keys, pipelines and users can use a thing. */
export function useThingReach(project: string, what: UseKind, name: string, enabled: boolean) {
  return useQuery({
    queryKey: ['reach', project, 'thing', what, name],
    queryFn: ({ signal }) => call('GET /projects/:project/reach', { path: { project }, query: { what, name }, signal }),
    enabled,
  });
}

export function useLimitKey() {
  return useRenewing(['keys'], ({ record, limits }: { record: KeyRecord; limits: KeyLimits }) =>
    call('PUT /projects/:project/keys/:key/limits', {
      path: { project: record.project, key: record.id },
      body: { limits },
    }),
  );
}

export function usePauseKey() {
  return useRenewing(['keys'], ({ record, reason }: { record: KeyRecord; reason: string }) =>
    call('POST /projects/:project/keys/:key/pause', {
      path: { project: record.project, key: record.id },
      body: { reason },
    }),
  );
}

export function useResumeKey() {
  return useRenewing(['keys'], (record: KeyRecord) =>
    call('POST /projects/:project/keys/:key/resume', { path: { project: record.project, key: record.id } }),
  );
}

import { useQuery } from '@tanstack/react-query';
import type { KeyRecord } from '#common/model/records.ts';
import { call } from './client.ts';
import { useStatus } from './queries.ts';

/** The fleet. Check-ins send no events. */
const LIVE_MS = 2_000;

export function useFleet(enabled = true) {
  return useQuery({
    queryKey: ['fleet'],
    queryFn: ({ signal }) => call('GET /fleet', { signal }),
    enabled,
    refetchInterval: LIVE_MS,
  });
}

/** Which edges accept the key; null: no key is asked for. Needs `manage_keys`. */
export function useKeyOnEdges(record: Pick<KeyRecord, 'id' | 'project'> | null) {
  return useQuery({
    queryKey: ['fleet', 'key', record?.id],
    queryFn: ({ signal }) =>
      call('GET /projects/:project/keys/:key/edges', {
        path: { project: record?.project ?? '', key: record?.id ?? '' },
        signal,
      }),
    enabled: record !== null,
    refetchInterval: LIVE_MS,
  });
}

/** The role of this machine; undefined outside of a fleet. */
export function useFleetRole() {
  return useStatus().data?.fleet;
}

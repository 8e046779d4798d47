import { useQuery } from '@tanstack/react-query';
import type { TrafficRange } from '#common/model/traffic.ts';
import { call } from './client.ts';

const LIVE_MS = 5_000;

/** The traffic of the gateway, and its callers. */
export function useTraffic(range: TrafficRange) {
  return useQuery({
    queryKey: ['traffic', range],
    queryFn: ({ signal }) => call('GET /traffic', { query: { range }, signal }),
    refetchInterval: LIVE_MS,
  });
}

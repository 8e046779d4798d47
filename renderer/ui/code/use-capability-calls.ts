import { useQuery } from '@tanstack/react-query';
import { callText } from '#api/client.ts';
import { readCapabilities, type CapabilityCall } from './capability-types.ts';

/** The calls of scripts; undefined until they are loaded, or if they are not requested. */
export function useCapabilityCalls(wanted: boolean): CapabilityCall[] | undefined {
  return useQuery({
    queryKey: ['completions'],
    queryFn: async ({ signal }) => readCapabilities(await callText('GET /completions', { signal })),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

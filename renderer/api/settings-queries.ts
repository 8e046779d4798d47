import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, pathOf } from './client.ts';
import { useRenewing } from './use-renewing.ts';

export type { ShownSettings } from '#common/contract/settings.ts';

/** Gateway settings as hooks; they need `access_settings`. */
export function useGatewaySettings() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call('GET /settings', { signal }),
  });
}

/** Responds when the gateway has applied them. */
export function useChangeSettings() {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (patch: Record<string, unknown>) => call('PATCH /settings', { body: patch }),
    onSuccess: (settings) => {
      client.setQueryData(['settings'], settings);
      void client.invalidateQueries({ queryKey: ['status'] });
    },
  });
}

/** Creates a new self-signed certificate; responds when the gateway uses it, if it is the one in use. */
export function useMakeCertificate() {
  return useRenewing(['settings'], () => call('POST /settings/certificate'), { gcTime: 0 });
}

/** Path of the certificate as a file. */
export const certificatePath = (form: 'cer' | 'pem') => pathOf(`GET /settings/certificate.${form}`);

const USAGE_FRESH_MS = 60_000;

/** Needs `view_audit`. */
export function useJournalUsage(enabled: boolean) {
  return useQuery({
    queryKey: ['journal-usage'],
    queryFn: ({ signal }) => call('GET /audit/usage', { signal }),
    enabled,
    staleTime: USAGE_FRESH_MS,
  });
}

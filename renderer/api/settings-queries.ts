import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CertificateFacts } from '#common/model/certificate.ts';
import type { Settings, WRITE_ONLY_SETTINGS } from '#common/model/settings.ts';
import { call } from './client.ts';

/** Gateway settings as hooks; they need `access_settings`. */
type WriteOnly = (typeof WRITE_ONLY_SETTINGS)[number];

/** As they are read: write-only ones say only whether they are set. */
export type ShownSettings = Omit<Settings, WriteOnly> &
  Record<WriteOnly, { set: true } | null> & {
    /** Fixed by a flag or an environment variable, which wins. */
    overridden: string[];
    /** On the gateway port; while TLS is off, the own one if it was made. */
    certificate: CertificateFacts | null;
    /** No gateway serves: in force when one does. */
    pending: boolean;
  };

export function useGatewaySettings() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call<ShownSettings>('GET', '/settings', { signal }),
  });
}

/** Answers when the gateway has them. */
export function useChangeSettings() {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (patch: Record<string, unknown>) => call<ShownSettings>('PATCH', '/settings', { body: patch }),
    onSuccess: (settings) => {
      client.setQueryData(['settings'], settings);
      void client.invalidateQueries({ queryKey: ['status'] });
    },
  });
}

/** Makes a new own certificate; answers when the gateway has it, if it is the one in use. */
export function useMakeCertificate() {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: () => call<CertificateFacts>('POST', '/settings/certificate'),
    onSuccess: () => client.invalidateQueries({ queryKey: ['settings'] }),
  });
}

/** Path of the certificate as a file. */
export const certificatePath = (form: 'cer' | 'pem') => `/settings/certificate.${form}`;

/** The size of the journal on disk, and its growth per day at today's rate. `oldest` null: it has no rows. */
export interface JournalUsage {
  bytes: number;
  bytesPerDay: number;
  oldest: string | null;
}

const USAGE_FRESH_MS = 60_000;

/** Needs `view_audit`. */
export function useJournalUsage(enabled: boolean) {
  return useQuery({
    queryKey: ['journal-usage'],
    queryFn: ({ signal }) => call<JournalUsage>('GET', '/audit/usage', { signal }),
    enabled,
    staleTime: USAGE_FRESH_MS,
  });
}

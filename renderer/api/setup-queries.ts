import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProjectRecord } from '#common/model/records.ts';
import type { Settings } from '#common/model/settings.ts';
import { call } from './client.ts';

export type { ShownSettings } from '#common/contract/settings.ts';

export type AddressFields = Partial<Pick<Settings, 'baseUrl' | 'gatewayPort' | 'uiPort'>>;
export type ConnectFields = AddressFields & Partial<Pick<Settings, 'tls'>>;

/** Needs `access_settings`. Loaded once: input must not be overwritten by stored values. */
export function useSettingsOnce() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call('GET /settings', { signal }),
    staleTime: Infinity,
  });
}

/**
 * Tests address and ports while they are typed; the previous result remains until the next one arrives. Null: not yet.
 */
export function useSettingsTest(fields: AddressFields | null) {
  return useQuery({
    queryKey: ['settings-test', fields],
    queryFn: ({ signal }) => call('POST /settings/test', { body: fields ?? {}, signal }),
    enabled: fields !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
}

export function useSaveAddress() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (fields: ConnectFields) => call('PATCH /settings', { body: fields }),
    onSuccess: (settings) => client.setQueryData(['settings'], settings),
    onSettled: () => client.invalidateQueries({ queryKey: ['status'] }),
  });
}

export interface SampleProject {
  project: ProjectRecord;
  started: string[];
  notStarted: { pipeline: string; reason: string }[];
}

/** The sample project of Sluice, created and started. */
export function useMakeSample() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /projects/sample'),
    onSettled: () =>
      Promise.all(['projects', 'pipelines', 'status'].map((name) => client.invalidateQueries({ queryKey: [name] }))),
  });
}

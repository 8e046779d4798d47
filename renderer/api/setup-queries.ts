import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProjectRecord } from '#common/model/records.ts';
import type { Settings } from '#common/model/settings.ts';
import { call } from './client.ts';

export type { ShownSettings } from '#common/contract/settings.ts';

export type AddressFields = Partial<Pick<Settings, 'baseUrl' | 'gatewayPort' | 'uiPort'>>;
export type ConnectFields = AddressFields & Partial<Pick<Settings, 'tls'>>;

/** Needs `access_settings`. Read once: what is typed must not be overwritten by what is stored. */
export function useSettingsOnce() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call('GET /settings', { signal }),
    staleTime: Infinity,
  });
}

/** Tries address and ports as they are typed; the answer before stays until the next is there. Null = not yet. */
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

/** The project that ships with Sluice, made and started. */
export function useMakeSample() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /projects/sample'),
    onSettled: () =>
      Promise.all(['projects', 'pipelines', 'status'].map((name) => client.invalidateQueries({ queryKey: [name] }))),
  });
}

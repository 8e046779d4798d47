import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PluginRecord } from '#common/contract/plugin-records.ts';
import { base64Of } from './base64-of.ts';
import { call, everyItem } from './client.ts';

export type { PluginRecord };

/** Third-party plugins as hooks; they need `access_settings`. */
/** An archive of 20 MiB is sent, checked and written. */
const ADD_MS_MAX = 120_000;

export function usePlugins() {
  return useQuery({
    queryKey: ['plugins'],
    queryFn: ({ signal }) => everyItem('GET /plugins', { signal }),
  });
}

function useRefresh() {
  const client = useQueryClient();
  return () => {
    for (const name of ['plugins', 'kinds', 'status']) void client.invalidateQueries({ queryKey: [name] });
  };
}

/** A `.tgz`; it waits for approval. */
export function useAddPlugin() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (file: Blob) =>
      call('POST /plugins', { body: { archive: await base64Of(file) }, msMax: ADD_MS_MAX }),
    onSettled: refresh,
  });
}

/** `confirm`: what was typed, for trusted code. */
export function useApprovePlugin() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ plugin, confirm }: { plugin: PluginRecord; confirm: string | null }) =>
      call('POST /plugins/:plugin/approve', {
        path: { plugin: plugin.id },
        body: { digest: plugin.digest, ...(confirm !== null && { confirm }) },
      }),
    onSettled: refresh,
  });
}

/** All versions of it. */
export function useRemovePlugin() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call('DELETE /plugins/:plugin', { path: { plugin: id } }),
    onSettled: refresh,
  });
}

import { useQuery } from '@tanstack/react-query';
import type { PluginRecord } from '#common/contract/plugin-records.ts';
import { base64Of } from './base64-of.ts';
import { call, everyItem } from './client.ts';
import { useRenewing } from './use-renewing.ts';

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

/** Queries that any change can affect. */
const RENEWED = ['plugins', 'kinds', 'status'];

/** A `.tgz`; it waits for approval. */
export function useAddPlugin() {
  return useRenewing(
    RENEWED,
    async (file: Blob) => call('POST /plugins', { body: { archive: await base64Of(file) }, msMax: ADD_MS_MAX }),
    { awaited: false },
  );
}

/** `confirm`: the typed confirmation, for trusted code. */
export function useApprovePlugin() {
  return useRenewing(
    RENEWED,
    ({ plugin, confirm }: { plugin: PluginRecord; confirm: string | null }) =>
      call('POST /plugins/:plugin/approve', {
        path: { plugin: plugin.id },
        body: { digest: plugin.digest, ...(confirm !== null && { confirm }) },
      }),
    { awaited: false },
  );
}

/** All versions of it. */
export function useRemovePlugin() {
  return useRenewing(RENEWED, (id: string) => call('DELETE /plugins/:plugin', { path: { plugin: id } }), {
    awaited: false,
  });
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Scope } from '#common/scopes.ts';
import { base64Of } from './base64-of.ts';
import { call, everyItem } from './client.ts';

/** Third-party plugins as hooks; they need `access_settings`. */
const part = encodeURIComponent;
/** An archive of 20 MiB is sent, checked and written. */
const ADD_MS_MAX = 120_000;

/** One version of a plugin. A new version waits beside the approved one. */
export interface PluginRecord {
  id: string;
  version: string;
  name: string;
  publisher: string;
  /** SHA-256 over all of its files: what an approval is of. */
  digest: string;
  files: { path: string; sha256: string }[];
  kinds: { id: string; title: string; summary: string; scopes: Scope[] }[];
  capabilities: Scope[];
  /** `host:port` that it may call. */
  targets: string[];
  /** It asks to run with all that Node can do. */
  trusted: boolean;
  addedAt: string;
  addedBy: string;
  /** null = it waits for approval and is not used. */
  approvedAt: string | null;
  approvedBy: string | null;
  loaded: boolean;
  /** Why it is not loaded. */
  reason: string | null;
}

interface ApprovedPlugin extends PluginRecord {
  /** Running pipelines that keep the former version until they are started again. */
  restart: { project: string; pipeline: string }[];
}

export function usePlugins() {
  return useQuery({
    queryKey: ['plugins'],
    queryFn: ({ signal }) => everyItem<PluginRecord>('/plugins', signal),
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
      call<PluginRecord>('POST', '/plugins', { body: { archive: await base64Of(file) }, msMax: ADD_MS_MAX }),
    onSettled: refresh,
  });
}

/** `confirm`: what was typed, for trusted code. */
export function useApprovePlugin() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ plugin, confirm }: { plugin: PluginRecord; confirm: string | null }) =>
      call<ApprovedPlugin>('POST', `/plugins/${part(plugin.id)}/approve`, {
        body: { digest: plugin.digest, ...(confirm !== null && { confirm }) },
      }),
    onSettled: refresh,
  });
}

/** All versions of it. */
export function useRemovePlugin() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call('DELETE', `/plugins/${part(id)}`),
    onSettled: refresh,
  });
}

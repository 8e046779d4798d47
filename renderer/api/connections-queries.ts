import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConnectionKind } from '#common/model/connection.ts';
import { call, everyItem } from './client.ts';

/** Connections of a project as hooks. To see them needs `view`, everything else `access_settings`. */
const part = encodeURIComponent;
const all = (project: string) => `/projects/${part(project)}/connections`;
const one = (project: string, id: string) => `${all(project)}/${part(id)}`;

/** As it is read: secret fields are `{ set: true }` or null. */
export interface ShownConnection {
  id: string;
  name: string;
  settings: Record<string, unknown> & { kind: ConnectionKind; host: string; port: number };
}

/** As it is sent: a secret is a text, null for none, or `{ set: true }` to keep what is stored. */
export interface SentConnection {
  id: string;
  name: string;
  settings: Record<string, unknown> & { kind: ConnectionKind };
}

export interface ConnectionAnswer {
  ok: boolean;
  text: string;
  durationMs: number;
}

export function useConnections(project: string) {
  return useQuery({
    queryKey: ['connections', project],
    queryFn: ({ signal }) => everyItem<ShownConnection>(all(project), signal),
  });
}

interface SavedConnection extends ShownConnection {
  /** Secrets that were not kept, since it leads elsewhere now. Absent for a new one. */
  cleared?: string[];
}

/** Makes one, or changes the one of its id. */
export function useSaveConnection(project: string) {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: ({ connection, isNew }: { connection: SentConnection; isNew: boolean }) =>
      isNew
        ? call<SavedConnection>('POST', all(project), { body: connection })
        : call<SavedConnection>('PUT', one(project, connection.id), { body: connection }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['connections'] }),
  });
}

export function useDeleteConnection(project: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('DELETE', one(project, id)),
    onSettled: () => void client.invalidateQueries({ queryKey: ['connections'] }),
  });
}

/** Dials the draft in the form once. */
export function useTestDraft(project: string) {
  return useMutation({
    gcTime: 0,
    mutationFn: (connection: SentConnection) =>
      call<ConnectionAnswer>('POST', `${all(project)}/test`, { body: connection }),
  });
}

/** Dials a connection once, as it is saved. */
export function useTestConnection(project: string) {
  return useMutation({
    mutationFn: (id: string) => call<ConnectionAnswer>('POST', `${one(project, id)}/test`, { body: {} }),
  });
}

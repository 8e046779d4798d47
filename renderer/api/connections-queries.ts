import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { CallAnswer } from '#common/contract/client.ts';
import type { ConnectionRecord } from '#common/contract/connection-records.ts';
import type { ConnectionKind } from '#common/model/connection.ts';
import { call, everyItem } from './client.ts';
import { useRenewing } from './use-renewing.ts';

/** Connections of a project as hooks. Viewing them needs `view`, everything else `access_settings`. */

export type ShownConnection = ConnectionRecord;

/** As sent: a secret is a text, null for none, or `{ set: true }` to keep the stored one. */
export interface SentConnection {
  id: string;
  name: string;
  settings: Record<string, unknown> & { kind: ConnectionKind };
}

export type ConnectionAnswer = CallAnswer<'POST /projects/:project/connections/test'>;

export const connectionsOf = (project: string) =>
  queryOptions({
    queryKey: ['connections', project],
    queryFn: ({ signal }) => everyItem('GET /projects/:project/connections', { path: { project }, signal }),
  });

export function useConnections(project: string) {
  return useQuery(connectionsOf(project));
}

interface SavedConnection extends ConnectionRecord {
  /** Secrets that were not kept, because the target has changed. Absent for a new connection. */
  cleared?: string[];
}

/** Creates a connection, or changes the one with this ID. */
export function useSaveConnection(project: string) {
  return useRenewing(
    ['connections'],
    ({ connection, isNew }: { connection: SentConnection; isNew: boolean }): Promise<SavedConnection> =>
      isNew
        ? call('POST /projects/:project/connections', { path: { project }, body: connection })
        : call('PUT /projects/:project/connections/:connection', {
            path: { project, connection: connection.id },
            body: connection,
          }),
    { gcTime: 0, awaited: false },
  );
}

export function useDeleteConnection(project: string) {
  return useRenewing(
    ['connections'],
    (id: string) => call('DELETE /projects/:project/connections/:connection', { path: { project, connection: id } }),
    { awaited: false },
  );
}

/** Tests the connection in the form once. */
export function useTestDraft(project: string) {
  return useMutation({
    gcTime: 0,
    mutationFn: (connection: SentConnection) =>
      call('POST /projects/:project/connections/test', { path: { project }, body: connection }),
  });
}

/** Tests a saved connection once. */
export function useTestConnection(project: string) {
  return useMutation({
    mutationFn: (id: string) =>
      call('POST /projects/:project/connections/:connection/test', { path: { project, connection: id } }),
  });
}

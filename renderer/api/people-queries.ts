import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Permission } from '#common/model/records.ts';
import { call, everyItem } from './client.ts';
import { replaceSessionToken } from './session-token.ts';

/** Users and roles as hooks; all need `manage_users`. Any change of a user or of their role ends their sessions. */
const LOG_INS_MS = 5_000;

export function usePeople(enabled: boolean) {
  return useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => everyItem('GET /users', { signal }),
    enabled,
    // A log-in sends no event: without this, a user who is working now would be shown as "never logged in".
    refetchInterval: LOG_INS_MS,
  });
}

export function useRoles(enabled: boolean) {
  return useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => everyItem('GET /roles', { signal }),
    enabled,
  });
}

/** Not awaited, so that the message of an action is shown at once. */
function useRefresh() {
  const client = useQueryClient();
  return () => {
    for (const name of ['people', 'roles']) void client.invalidateQueries({ queryKey: [name] });
  };
}

export interface NewPerson {
  name: string;
  password: string;
  roles: string[];
}

export function useAddPerson() {
  const refresh = useRefresh();
  return useMutation({
    gcTime: 0,
    mutationFn: (input: NewPerson) => call('POST /users', { body: input }),
    onSuccess: refresh,
  });
}

export type PersonPatch = { roles: string[] } | { active: boolean } | { password: string };

export function useChangePerson() {
  const refresh = useRefresh();
  return useMutation({
    gcTime: 0,
    mutationFn: ({ id, patch }: { id: string; patch: PersonPatch }) =>
      call('PATCH /users/:user', { path: { user: id }, body: patch }),
    onSettled: refresh,
  });
}

export interface RoleInput {
  name: string;
  permissions: Permission[];
}

/** Makes a role, or changes the one of that id. */
export function useSaveRole() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, input }: { id: string | null; input: RoleInput }) =>
      id === null
        ? call('POST /roles', { body: input })
        : call('PATCH /roles/:role', { path: { role: id }, body: input }),
    onSettled: refresh,
  });
}

/** Changes a user's own password; all their other sessions end, and this one continues with a new cookie and token. */
export function useChangeOwnPassword() {
  return useMutation({
    gcTime: 0,
    mutationFn: (input: { old: string; new: string }) =>
      replaceSessionToken(call('POST /session/password', { body: input }).then(({ csrfToken }) => csrfToken)),
  });
}

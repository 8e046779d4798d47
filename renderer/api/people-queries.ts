import { useMutation, useQuery } from '@tanstack/react-query';
import type { Permission } from '#common/model/records.ts';
import { call, everyItem } from './client.ts';
import { replaceSessionToken } from './session-token.ts';
import { useRenewing } from './use-renewing.ts';

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

/** Queries that any change can affect. */
const RENEWED = ['people', 'roles'];

export interface NewPerson {
  name: string;
  password: string;
  roles: string[];
}

export function useAddPerson() {
  return useRenewing(RENEWED, (input: NewPerson) => call('POST /users', { body: input }), {
    gcTime: 0,
    awaited: false,
  });
}

export type PersonPatch = { roles: string[] } | { active: boolean } | { password: string };

export function useChangePerson() {
  return useRenewing(
    RENEWED,
    ({ id, patch }: { id: string; patch: PersonPatch }) =>
      call('PATCH /users/:user', { path: { user: id }, body: patch }),
    { gcTime: 0, awaited: false },
  );
}

export interface RoleInput {
  name: string;
  permissions: Permission[];
}

/** Creates a role, or changes the one with this ID. */
export function useSaveRole() {
  return useRenewing(
    RENEWED,
    ({ id, input }: { id: string | null; input: RoleInput }) =>
      id === null
        ? call('POST /roles', { body: input })
        : call('PATCH /roles/:role', { path: { role: id }, body: input }),
    { awaited: false },
  );
}

/** Changes a user's own password; all their other sessions end, and this one continues with a new cookie and token. */
export function useChangeOwnPassword() {
  return useMutation({
    gcTime: 0,
    mutationFn: (input: { old: string; new: string }) =>
      replaceSessionToken(call('POST /session/password', { body: input }).then(({ csrfToken }) => csrfToken)),
  });
}

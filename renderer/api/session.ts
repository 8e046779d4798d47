import { useEffect } from 'react';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Permission, UserRecord } from '#common/model/records.ts';
import { call } from './client.ts';
import { isApiError } from './problem.ts';
import { forgetSessionToken, onSessionElsewhere, rememberSessionToken, settledToken } from './session-token.ts';
import { rememberSetup } from './setup-progress.ts';

export type SessionState =
  | { kind: 'in'; user: UserRecord; permissions: Permission[] }
  /** `ended`: while pages were open, and not by a log-out of the user. */
  | { kind: 'out'; ended?: boolean }
  /** First start: no administrator yet. */
  | { kind: 'setup' };

const KEY = ['session'];

/** A token that does not match the cookie gives no more access than no token. */
export function isSessionOver(error: unknown): boolean {
  return isApiError(error, 'no_session') || isApiError(error, 'csrf_token_wrong');
}

export async function readSession(): Promise<SessionState> {
  try {
    const { user, permissions } = await call('GET /session');
    return { kind: 'in', user, permissions };
  } catch (error) {
    if (isApiError(error, 'setup_needed')) return { kind: 'setup' };
    if (isSessionOver(error)) return { kind: 'out' };
    throw error;
  }
}

export function useSession() {
  return useQuery({ queryKey: KEY, queryFn: readSession, staleTime: Infinity, retry: false });
}

/** The permissions of the user. Buttons without permission are hidden, and the server checks again anyway. */
export function usePermission(permission: Permission): boolean {
  const session = useSession().data;
  return session?.kind === 'in' && session.permissions.includes(permission);
}

/** For reports of the session outside React. */
export const SESSION_KEY = KEY;

/**
 * Ends the session: the log-in page is shown, and the data of this user is removed. `unasked`: it had already ended
 * when a call was made, which is shown to the user; calls in flight at a log-out are notified too.
 */
export function endSession(client: QueryClient, unasked = false): void {
  // If unasked, another tab may have logged in meanwhile: its token is kept.
  if (!unasked) forgetSessionToken();
  const before = client.getQueryData<SessionState>(KEY);
  const ended = unasked && (before?.kind === 'in' || (before?.kind === 'out' && before.ended === true));
  client.setQueryData(KEY, { kind: 'out', ended } satisfies SessionState);
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== KEY[0] });
}

let checking: Promise<void> | null = null;

/**
 * A call was refused because of its session. Checked once for all such calls: the session has not ended if a change of
 * the user's own password replaced the token meanwhile.
 */
export function checkSession(client: QueryClient): void {
  checking ??= refreshSession(client)
    .then(() => client.invalidateQueries({ predicate: ({ state }) => isSessionOver(state.error) }))
    .catch(() => undefined)
    .finally(() => (checking = null));
}

/** Reads the session again and shows its user. Throws ApiError. */
export async function refreshSession(client: QueryClient): Promise<void> {
  await settledToken();
  const session = await readSession();
  if (session.kind === 'out') return endSession(client, true);
  const before = client.getQueryData<SessionState>(KEY);
  const isOther = before?.kind === 'in' && session.kind === 'in' && before.user.id !== session.user.id;
  if (isOther) endSession(client, true);
  client.setQueryData(KEY, session);
}

/** A log-in or log-out in another tab applies to this one too. */
export function useSessionElsewhere(): void {
  const client = useQueryClient();
  useEffect(() => onSessionElsewhere(() => void refreshSession(client).catch(() => {})), [client]);
}

export function useLogIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: { name: string; password: string }) => {
      rememberSessionToken((await call('POST /session', { body: input })).csrfToken);
      // Read back instead of using the response: this also proves that the browser stored the cookie.
      return readSession();
    },
    onSuccess: (state) => client.setQueryData(KEY, state),
  });
}

export function useSetUp() {
  const logIn = useLogIn();
  return useMutation({
    mutationFn: async (input: { token: string; name: string; password: string }) => {
      await call('POST /setup', { body: input });
      // Before the log-in opens the pages: the next steps are shown first.
      rememberSetup({ name: input.name, step: 'address', later: false });
      return logIn.mutateAsync({ name: input.name, password: input.password });
    },
  });
}

/** A failed log-out has ended nothing: the cookie still gives access to every page, so no other state may be shown. */
export function useLogOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE /session'),
    onSuccess: () => endSession(client),
  });
}

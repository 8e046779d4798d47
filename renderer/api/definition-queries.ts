import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LibraryScript } from '#common/model/library-script.ts';
import type { NamedQuery, QueryResult } from '#common/model/named-query.ts';
import type { Permission } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';
import { call, everyItem } from './client.ts';

/** Named queries and library scripts of a project: alike but for their test run. */
export type Family = 'queries' | 'scripts';
export interface Definitions {
  queries: NamedQuery & { draft?: NotInForce };
  scripts: LibraryScript & { draft?: NotInForce };
}

/** Saved, and waiting for somebody with these permissions. */
export interface NotInForce {
  savedAt: string;
  savedBy: string;
  needs: Permission[];
}

const part = encodeURIComponent;
const all = (project: string, family: Family) => `/projects/${part(project)}/${family}`;
const one = (project: string, family: Family, id: string) => `${all(project, family)}/${part(id)}`;

export function useDefinitions<F extends Family>(project: string, family: F) {
  return useQuery({
    queryKey: [family, project],
    queryFn: ({ signal }) => everyItem<Definitions[F]>(all(project, family), signal),
  });
}

/** Makes one, or changes the one of its id. */
export function useSaveDefinition<F extends Family>(project: string, family: F) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ definition, isNew }: { definition: Definitions[F]; isNew: boolean }) =>
      isNew
        ? call<Definitions[F]>('POST', all(project, family), { body: definition })
        : call<Definitions[F]>('PUT', one(project, family, definition.id), { body: definition }),
    onSuccess: () => client.invalidateQueries({ queryKey: [family] }),
  });
}

export function useDeleteDefinition(project: string, family: Family) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('DELETE', one(project, family, id)),
    onSuccess: () => client.invalidateQueries({ queryKey: [family] }),
  });
}

/** The version that pipelines use, beside a draft. Fails with `unknown` when there is none. */
export function useInForce<F extends Family>(project: string, family: F, id: string) {
  return useQuery({
    queryKey: [family, project, id, 'in-force'],
    queryFn: ({ signal }) => call<Definitions[F]>('GET', `${one(project, family, id)}/in-force`, { signal }),
    retry: false,
  });
}

/** Puts the draft that was saved at that time into force. */
export function useActivateDefinition(project: string, family: Family) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, savedAt }: { id: string; savedAt: string }) =>
      call('POST', `${one(project, family, id)}/activate`, { body: { savedAt } }),
    onSuccess: () => client.invalidateQueries({ queryKey: [family] }),
  });
}

/** How long the answer took, in ms, beside the answer. */
export interface Timed<T> {
  answer: T;
  ms: number;
}

async function timed<T>(run: () => Promise<T>): Promise<Timed<T>> {
  const begun = performance.now();
  const answer = await run();
  return { answer, ms: performance.now() - begun };
}

/** Runs a draft; its SQL takes effect. */
export function useTestQuery(project: string) {
  return useMutation({
    mutationFn: (body: { query: NamedQuery; params: Record<string, unknown> }) =>
      timed(() => call<QueryResult>('POST', `${all(project, 'queries')}/test`, { body })),
  });
}

export interface ScriptAnswer {
  value: unknown;
  lines: { level: string; message: string }[];
}

/** Runs a script as it is saved. */
export function useTestScript(project: string) {
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; args: unknown; scopes: Scope[] }) =>
      timed(() => call<ScriptAnswer>('POST', `${one(project, 'scripts', id)}/test`, { body })),
  });
}

/** A connection that tags and queries can refer to. */
export interface ConnectionChoice {
  id: string;
  name: string;
  settings: { kind: string };
}

export function useConnectionChoices(project: string) {
  return useQuery({
    queryKey: ['connections', project, 'choices'],
    queryFn: ({ signal }) => everyItem<ConnectionChoice>(`/projects/${part(project)}/connections`, signal),
  });
}

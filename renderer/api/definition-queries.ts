import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { LibraryScript } from '#common/model/library-script.ts';
import type { NamedQuery } from '#common/model/named-query.ts';
import type { Permission } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';
import { call, everyItem } from './client.ts';
import { useRenewing } from './use-renewing.ts';

/** Named queries and library scripts of a project: identical except for their test run. */
export type Family = 'queries' | 'scripts';
export interface Definitions {
  queries: NamedQuery & { draft?: NotInForce | undefined };
  scripts: LibraryScript & { draft?: NotInForce | undefined };
}

/** Saved, and waiting for a user with these permissions. */
export interface NotInForce {
  savedAt: string;
  savedBy: string;
  needs: Permission[];
}

const ONE = {
  queries: '/projects/:project/queries/:query',
  scripts: '/projects/:project/scripts/:script',
} as const satisfies Record<Family, string>;
/** A path uses only the parameters that it names. */
const at = (project: string, id: string) => ({ project, query: id, script: id });

export function definitionsOf<F extends Family>(project: string, family: F) {
  const listed: Family = family;
  return queryOptions({
    queryKey: [family, project],
    queryFn: async ({ signal }) =>
      (await everyItem(`GET /projects/:project/${listed}`, { path: { project }, signal })) as Definitions[F][],
  });
}

export function useDefinitions<F extends Family>(project: string, family: F) {
  return useQuery(definitionsOf(project, family));
}

/** Makes one, or changes the one of its id. */
export function useSaveDefinition<F extends Family>(project: string, family: F) {
  const listed: Family = family;
  return useRenewing([family], ({ definition, isNew }: { definition: Definitions[F]; isNew: boolean }) =>
    isNew
      ? call(`POST /projects/:project/${listed}`, { path: { project }, body: definition })
      : call(`PUT ${ONE[listed]}`, { path: at(project, definition.id), body: definition }),
  );
}

export function useDeleteDefinition(project: string, family: Family) {
  return useRenewing([family], (id: string) => call(`DELETE ${ONE[family]}`, { path: at(project, id) }));
}

/** The version that pipelines use, beside a draft. Fails with `unknown` when there is none. */
export function useInForce<F extends Family>(project: string, family: F, id: string) {
  const listed: Family = family;
  return useQuery({
    queryKey: [family, project, id, 'in-force'],
    queryFn: async ({ signal }) =>
      (await call(`GET ${ONE[listed]}/in-force`, { path: at(project, id), signal })) as Definitions[F],
    retry: false,
  });
}

/** Activates the draft that was saved at that time. */
export function useActivateDefinition(project: string, family: Family) {
  return useRenewing([family], ({ id, savedAt }: { id: string; savedAt: string }) =>
    call(`POST ${ONE[family]}/activate`, { path: at(project, id), body: { savedAt } }),
  );
}

/** The duration of the call, in ms, in addition to the response. */
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
      timed(() => call('POST /projects/:project/queries/test', { path: { project }, body })),
  });
}

/** Tables and columns of a database; `wanted`: only then does it connect. */
export function useDatabaseSchema(project: string, connection: string, wanted: boolean) {
  return useQuery({
    queryKey: ['database-schema', project, connection],
    queryFn: ({ signal }) =>
      call('GET /projects/:project/connections/:connection/schema', { path: { project, connection }, signal }),
    enabled: wanted,
    retry: false,
  });
}

export interface ScriptAnswer {
  value: unknown;
  lines: { level: string; message: string }[];
}

/** Runs a saved script. */
export function useTestScript(project: string) {
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; args: unknown; scopes: Scope[] }) =>
      timed(() => call('POST /projects/:project/scripts/:script/test', { path: { project, script: id }, body })),
  });
}

/** The connections that tags and queries can refer to. */
export function useConnectionChoices(project: string) {
  return useQuery({
    queryKey: ['connections', project, 'choices'],
    queryFn: ({ signal }) => everyItem('GET /projects/:project/connections', { path: { project }, signal }),
  });
}

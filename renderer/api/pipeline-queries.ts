import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { KindManifest } from '#common/control/messages.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import type { TestPart } from '#common/model/test-part.ts';
import { call, everyItem, pathOf } from './client.ts';
import { useRenewing } from './use-renewing.ts';

/** Queries of the pipeline editor. */

/** A record without the fields that the server adds. */
export function definitionOf(record: PipelineRecord): PipelineDefinition {
  const { id, name, runAs, grants, limits, rehearsal, nodes, wires, notes, groups, tests } = record;
  return {
    id,
    name,
    runAs,
    grants,
    nodes,
    wires,
    ...(limits !== undefined && { limits }),
    ...(rehearsal === true && { rehearsal }),
    ...(notes !== undefined && { notes }),
    ...(groups !== undefined && { groups }),
    ...(tests !== undefined && { tests }),
  };
}

/** The node kinds that the gateway can run, by id. */
export function useKinds() {
  return useQuery({
    queryKey: ['kinds'],
    queryFn: ({ signal }) => everyItem('GET /kinds', { signal }),
    select: byId,
    staleTime: 60_000,
  });
}

function byId(kinds: KindManifest[]): ReadonlyMap<string, KindManifest> {
  return new Map(kinds.map((kind) => [kind.id, kind]));
}

export function useRevisions(project: string, id: string) {
  return useQuery({
    queryKey: ['revisions', project, id],
    queryFn: ({ signal }) =>
      everyItem('GET /projects/:project/pipelines/:pipeline/revisions', { path: { project, pipeline: id }, signal }),
  });
}

export function useRuns(project: string, id: string, live: boolean) {
  return useQuery({
    queryKey: ['runs', project, id],
    queryFn: ({ signal }) =>
      everyItem('GET /projects/:project/pipelines/:pipeline/runs', { path: { project, pipeline: id }, signal }),
    refetchInterval: live ? 2_000 : false,
  });
}

/** Messages per second by node, for the running revision. */
export function usePipelineTraffic(project: string, id: string) {
  return useQuery({
    queryKey: ['pipeline-traffic', project, id],
    queryFn: ({ signal }) =>
      call('GET /projects/:project/pipelines/:pipeline/traffic', { path: { project, pipeline: id }, signal }),
    refetchInterval: 1_000,
    retry: false,
  });
}

export function useCheckDraft() {
  return useMutation({
    mutationFn: ({ project, id, definition }: { project: string; id: string; definition: PipelineDefinition | null }) =>
      call('POST /projects/:project/pipelines/:pipeline/check', {
        path: { project, pipeline: id },
        body: definition === null ? {} : { definition },
      }),
  });
}

/** `revision`: the one that was edited; null: any. `passing`: see the API. */
export function useSaveDraft() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: {
      project: string;
      id: string;
      definition: PipelineDefinition;
      revision: number | null;
      passing: boolean;
    }) =>
      call('PUT /projects/:project/pipelines/:pipeline', {
        path: { project: input.project, pipeline: input.id },
        body: input.definition,
        query: { passing: input.passing ? 'true' : undefined },
        headers: input.revision === null ? {} : { 'If-Match': `"${input.revision}"` },
      }),
    onSuccess: (record) => {
      client.setQueryData(['pipeline', record.project, record.id], record);
      void client.invalidateQueries({ queryKey: ['revisions', record.project, record.id] });
    },
  });
}

export function useRestoreRevision() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: { project: string; id: string; revision: number; over: number }) =>
      call('POST /projects/:project/pipelines/:pipeline/revisions/:revision/restore', {
        path: { project: input.project, pipeline: input.id, revision: input.revision },
        headers: { 'If-Match': `"${input.over}"` },
      }),
    onSuccess: (record) => client.setQueryData(['pipeline', record.project, record.id], record),
    onSettled: (_data, _error, { project, id }) => client.invalidateQueries({ queryKey: ['revisions', project, id] }),
  });
}

/** A test responds when its run has ended: within the longest timeout of a route. */
const TEST_MS_MAX = 3_660_000;

/** Runs the newest revision once, for real. `keyId`: with that key's scopes instead of the pipeline's grants. */
/** `pipeline`: its grants; `route`: the scopes that it requires. */
export type TestRights = { rights: 'pipeline' | 'route' } | { keyId: string };

export function useTestPipeline() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: {
      project: string;
      id: string;
      message: unknown;
      rights: TestRights;
      part?: TestPart;
      rehearsal?: boolean;
      signal?: AbortSignal;
    }) =>
      call('POST /projects/:project/pipelines/:pipeline/test', {
        path: { project: input.project, pipeline: input.id },
        body: {
          message: input.message,
          ...input.rights,
          ...(input.part && { part: input.part }),
          ...(input.rehearsal && { rehearsal: true }),
        },
        signal: input.signal,
        msMax: TEST_MS_MAX,
      }),
    onSettled: (_data, _error, { project, id }) => client.invalidateQueries({ queryKey: ['runs', project, id] }),
  });
}

/** Starts that revision, or swaps it in. Needs `run_pipelines`; a privilege widening needs `access_settings`. */
export function useStartRevision() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: { project: string; id: string; revision: number }) =>
      call('POST /projects/:project/pipelines/:pipeline/start', {
        path: { project: input.project, pipeline: input.id },
        body: { revision: input.revision },
      }),
    onSuccess: (record) => client.setQueryData(['pipeline', record.project, record.id], record),
    onSettled: () => refreshStates(client),
  });
}

/** Refused while it is running. */
export function useDeletePipeline() {
  return useRenewing(['pipelines', 'status'], ({ project, id }: { project: string; id: string }) =>
    call('DELETE /projects/:project/pipelines/:pipeline', { path: { project, pipeline: id } }),
  );
}

const refreshStates = (client: QueryClient) =>
  Promise.all(['pipelines', 'status'].map((name) => client.invalidateQueries({ queryKey: [name] })));

/** The result of starting the newest saved revision, checked again each time. */
export function useStartCheck({ project, id, revision }: { project: string; id: string; revision: number | null }) {
  return useQuery({
    queryKey: ['start-check', project, id, revision],
    queryFn: ({ signal }) =>
      call('POST /projects/:project/pipelines/:pipeline/check', {
        path: { project, pipeline: id },
        body: revision === null ? {} : { revision },
        signal,
      }),
    enabled: revision !== null,
    gcTime: 0,
    retry: false,
  });
}

/** Path of the pipeline as a file. */
export function exportPipelinePath(project: string, id: string): string {
  return pathOf('GET /projects/:project/pipelines/:pipeline/export', { path: { project, pipeline: id } });
}

const TARGETS_MS = 5_000;

/** The targets of egress calls, and which of them are paused. */
export function useEgressTargets(enabled: boolean) {
  return useQuery({
    queryKey: ['egress-state', 'targets'],
    queryFn: ({ signal }) => everyItem('GET /egress/targets', { signal }),
    enabled,
    refetchInterval: TARGETS_MS,
  });
}

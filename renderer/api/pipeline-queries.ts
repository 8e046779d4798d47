import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { KindManifest } from '#common/control/messages.ts';
import type { EgressTarget } from '#common/model/egress.ts';
import type { CheckResult, PipelineDefinition } from '#common/model/pipeline.ts';
import type { PipelineRecord, RevisionRecord, RunRecord } from '#common/model/records.ts';
import type { PipelineTraffic } from '#common/model/traffic.ts';
import { call, everyItem } from './client.ts';

/** Queries of the pipeline editor. */
const part = encodeURIComponent;
const pathOf = (project: string, id: string) => `/projects/${part(project)}/pipelines/${part(id)}`;

/** A record without what the server adds. */
export function definitionOf({ id, name, runAs, grants, nodes, wires }: PipelineRecord): PipelineDefinition {
  return { id, name, runAs, grants, nodes, wires };
}

/** The node kinds that the gateway can run, by id. */
export function useKinds() {
  return useQuery({
    queryKey: ['kinds'],
    queryFn: ({ signal }) => everyItem<KindManifest>('/kinds', signal),
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
    queryFn: ({ signal }) => everyItem<RevisionRecord>(`${pathOf(project, id)}/revisions`, signal),
  });
}

export function useRuns(project: string, id: string, live: boolean) {
  return useQuery({
    queryKey: ['runs', project, id],
    queryFn: ({ signal }) => everyItem<RunRecord>(`${pathOf(project, id)}/runs`, signal),
    refetchInterval: live ? 2_000 : false,
  });
}

/** Messages a second by node, of what runs. */
export function usePipelineTraffic(project: string, id: string) {
  return useQuery({
    queryKey: ['pipeline-traffic', project, id],
    queryFn: ({ signal }) => call<PipelineTraffic>('GET', `${pathOf(project, id)}/traffic`, { signal }),
    refetchInterval: 1_000,
    retry: false,
  });
}

export function useCheckDraft() {
  return useMutation({
    mutationFn: ({ project, id, definition }: { project: string; id: string; definition: PipelineDefinition | null }) =>
      call<CheckResult>('POST', `${pathOf(project, id)}/check`, { body: definition === null ? {} : { definition } }),
  });
}

/** `revision`: the one that it was drawn over; null = whatever is there. `passing`: see the API. */
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
      call<PipelineRecord>('PUT', pathOf(input.project, input.id), {
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
      call<PipelineRecord>('POST', `${pathOf(input.project, input.id)}/revisions/${input.revision}/restore`, {
        body: {},
        headers: { 'If-Match': `"${input.over}"` },
      }),
    onSuccess: (record) => client.setQueryData(['pipeline', record.project, record.id], record),
    onSettled: (_data, _error, { project, id }) => client.invalidateQueries({ queryKey: ['revisions', project, id] }),
  });
}

/** A test answers when its run is over: at most a route's longest timeout. */
const TEST_MS_MAX = 3_660_000;

/** Runs the newest revision once, for real. `keyId`: with that key's scopes instead of the pipeline's grants. */
export function useTestPipeline() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: { project: string; id: string; message: unknown; keyId?: string; signal?: AbortSignal }) =>
      call<RunRecord>('POST', `${pathOf(input.project, input.id)}/test`, {
        body: { message: input.message, ...(input.keyId !== undefined && { keyId: input.keyId }) },
        signal: input.signal,
        msMax: TEST_MS_MAX,
      }),
    onSettled: (_data, _error, { project, id }) => client.invalidateQueries({ queryKey: ['runs', project, id] }),
  });
}

/** Starts that revision, or swaps it in. Needs `run_pipelines`; what opens wider needs `access_settings`. */
export function useStartRevision() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: { project: string; id: string; revision: number }) =>
      call<PipelineRecord>('POST', `${pathOf(input.project, input.id)}/start`, { body: { revision: input.revision } }),
    onSuccess: (record) => client.setQueryData(['pipeline', record.project, record.id], record),
    onSettled: () => refreshStates(client),
  });
}

/** Refused while it runs. */
export function useDeletePipeline() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ project, id }: { project: string; id: string }) => call('DELETE', pathOf(project, id)),
    onSuccess: () => refreshStates(client),
  });
}

const refreshStates = (client: QueryClient) =>
  Promise.all(['pipelines', 'status'].map((name) => client.invalidateQueries({ queryKey: [name] })));

/** The result of starting the newest saved revision, checked again each time. */
export function useStartCheck({ project, id, revision }: { project: string; id: string; revision: number | null }) {
  return useQuery({
    queryKey: ['start-check', project, id, revision],
    queryFn: ({ signal }) => call<CheckResult>('POST', `${pathOf(project, id)}/check`, { body: { revision }, signal }),
    enabled: revision !== null,
    gcTime: 0,
    retry: false,
  });
}

/** Path of the pipeline as a file. */
export function exportPipelinePath(project: string, id: string): string {
  return `${pathOf(project, id)}/export`;
}

const TARGETS_MS = 5_000;

/** Where egress calls go, and which of it is paused. */
export function useEgressTargets(enabled: boolean) {
  return useQuery({
    queryKey: ['egress-state', 'targets'],
    queryFn: ({ signal }) => everyItem<EgressTarget>('/egress/targets', signal),
    enabled,
    refetchInterval: TARGETS_MS,
  });
}

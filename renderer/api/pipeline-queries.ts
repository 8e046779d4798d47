import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { KindManifest } from '#common/control/messages.ts';
import type { CheckResult, PipelineDefinition } from '#common/model/pipeline.ts';
import type { PipelineRecord, RevisionRecord, RunRecord } from '#common/model/records.ts';
import type { PipelineTraffic } from '#common/model/traffic.ts';
import { call, everyItem } from './client.ts';

/** What the pipeline editor asks. */
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

/** Runs the newest revision once, for real. `keyId`: with that key's scopes instead of the pipeline's grants. */
export function useTestPipeline() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: { project: string; id: string; message: unknown; keyId?: string; signal?: AbortSignal }) =>
      call<RunRecord>('POST', `${pathOf(input.project, input.id)}/test`, {
        body: { message: input.message, ...(input.keyId !== undefined && { keyId: input.keyId }) },
        signal: input.signal,
      }),
    onSettled: (_data, _error, { project, id }) => client.invalidateQueries({ queryKey: ['runs', project, id] }),
  });
}

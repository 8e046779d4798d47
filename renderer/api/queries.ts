import { useQuery } from '@tanstack/react-query';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import type { KeyRecord, PipelineRecord } from '#common/model/records.ts';
import type { KeyLimits } from '#common/model/key-limits.ts';
import type { Scope } from '#common/scopes.ts';
import { call, everyItem } from './client.ts';
import { gatewaySilence, useSilentSince } from './connection.ts';
import type { JournalFilter } from './journal-queries.ts';
import { useRenewing } from './use-renewing.ts';

/** Typed calls as hooks. Live values are polled every two seconds while the page is visible. */
const LIVE_MS = 2_000;

export function useStatus() {
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => call('GET /status', { signal }),
    refetchInterval: LIVE_MS,
  });
}

/** Whether "running" is current: neither Sluice nor its gateway is silent. */
export function useIsCurrent(): boolean {
  const silentSince = useSilentSince();
  const gateway = useStatus().data?.gateway;
  return silentSince === null && (gateway === undefined || gatewaySilence(gateway) === null);
}

/** Accepts a restored older vault. Needs `access_settings`. */
export function useConfirmVault() {
  return useRenewing(['status'], () => call('POST /vault/confirm'));
}

// ── Projects and pipelines ──

export function useProjects() {
  return useQuery({ queryKey: ['projects'], queryFn: ({ signal }) => everyItem('GET /projects', { signal }) });
}

export function useCreateProject() {
  return useRenewing(['projects'], (input: { id: string; name: string }) => call('POST /projects', { body: input }));
}

async function allPipelines(signal: AbortSignal): Promise<PipelineRecord[]> {
  const projects = await everyItem('GET /projects', { signal });
  const lists = await Promise.all(
    projects.map((project) => everyItem('GET /projects/:project/pipelines', { path: { project: project.id }, signal })),
  );
  return lists.flat();
}

/** The pipelines of every project. */
export function usePipelines() {
  return useQuery({ queryKey: ['pipelines'], queryFn: ({ signal }) => allPipelines(signal), refetchInterval: LIVE_MS });
}

export function usePipeline(project: string, id: string) {
  return useQuery({
    queryKey: ['pipeline', project, id],
    queryFn: ({ signal }) =>
      call('GET /projects/:project/pipelines/:pipeline', { path: { project, pipeline: id }, signal }),
  });
}

export function useStartPipeline() {
  return useRenewing(['pipelines', 'pipeline', 'status'], ({ project, id }: { project: string; id: string }) =>
    call('POST /projects/:project/pipelines/:pipeline/start', { path: { project, pipeline: id }, body: {} }),
  );
}

export function useStopPipeline() {
  return useRenewing(['pipelines', 'pipeline', 'status'], ({ project, id }: { project: string; id: string }) =>
    call('POST /projects/:project/pipelines/:pipeline/stop', { path: { project, pipeline: id } }),
  );
}

interface NewPipeline {
  project: string;
  definition: PipelineDefinition;
  /** With settings that still have to be filled in, which only a draft may have. */
  isOpen: boolean;
}

export function useCreatePipeline() {
  return useRenewing(
    ['pipelines', 'pipeline', 'status'],
    ({ project, definition, isOpen }: NewPipeline) =>
      call('POST /projects/:project/pipelines', {
        path: { project },
        body: definition,
        query: isOpen ? { passing: 'true' } : {},
      }),
    // The page closes immediately: in the refetched list, the new ID would count as taken.
    { awaited: false },
  );
}

// ── Keys ──

export function useKeys(project: string | null) {
  return useQuery({
    queryKey: ['keys', project],
    queryFn: ({ signal }) => everyItem('GET /projects/:project/keys', { path: { project: project ?? '' }, signal }),
    enabled: project !== null,
    refetchInterval: LIVE_MS,
  });
}

/** The keys of all projects. */
export function useEveryKey(enabled = true) {
  return useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => everyItem('GET /keys', { signal }),
    enabled,
    refetchInterval: LIVE_MS,
  });
}

/** The value of the key is returned only here; it is never put into the query cache. */
export interface NewKey {
  key: string;
  record: KeyRecord;
}

export function useCreateKey() {
  return useRenewing(
    ['keys'],
    (input: { project: string; name: string; scopes: Scope[]; limits?: KeyLimits; honey?: boolean }) =>
      call('POST /projects/:project/keys', {
        path: { project: input.project },
        body: {
          name: input.name,
          scopes: input.scopes,
          ...(input.limits && { limits: input.limits }),
          ...(input.honey && { honey: true }),
        },
      }),
    { gcTime: 0 },
  );
}

export function useRotateKey() {
  return useRenewing(
    ['keys'],
    (record: KeyRecord) =>
      call('POST /projects/:project/keys/:key/rotate', { path: { project: record.project, key: record.id } }),
    { gcTime: 0 },
  );
}

export function useRevokeKey() {
  return useRenewing(['keys', 'fleet'], (record: KeyRecord) =>
    call('POST /projects/:project/keys/:key/revoke', { path: { project: record.project, key: record.id } }),
  );
}

// ── Journal ──

const readJournal = (filter: JournalFilter, limit: number, cursor: string | undefined, signal: AbortSignal) =>
  call('GET /audit', { query: { ...filter, limit, cursor }, signal });

/** The latest rows for a filter, such as those of a key. Needs `view_audit`. */
export function useRecentRows(filter: JournalFilter, limit: number, enabled = true) {
  return useQuery({
    queryKey: ['recent', filter, limit],
    queryFn: async ({ signal }) => (await readJournal(filter, limit, undefined, signal)).items,
    enabled,
    refetchInterval: LIVE_MS,
  });
}

export function useRefusal(requestId: string) {
  return useQuery({
    queryKey: ['refusal', requestId],
    queryFn: ({ signal }) => call('GET /refusals/:requestId', { path: { requestId }, signal }),
    retry: false,
  });
}

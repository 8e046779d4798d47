import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call, draftOf, everyItem } from './client.ts';
import { isApiError } from './problem.ts';
import { useRenewing } from './use-renewing.ts';

/** Tags, variables and files of a project as hooks. */
const VALUES_MS = 1_000;
const STOPS_MS = 10_000;
const ALL_VALUES_MS = 5_000;
const VARIABLES_MS = 5_000;
const FILES_MS = 10_000;

// ── Tags ──

export const tagsOf = (project: string) =>
  queryOptions({
    queryKey: ['tags', project],
    queryFn: ({ signal }) => everyItem('GET /projects/:project/tags', { path: { project }, signal }),
  });

export function useTags(project: string) {
  return useQuery(tagsOf(project));
}

async function readTags(project: string, paths: readonly string[], signal: AbortSignal) {
  const { items } = await call('POST /projects/:project/tags/read', { path: { project }, body: { paths }, signal });
  return new Map(items.map((value) => [value.path, value]));
}

/** Live values of these tags, at most 1,000; earlier values remain until the new ones arrive. */
export function useTagValues(project: string, paths: readonly string[]) {
  return useQuery({
    queryKey: ['tag-values', project, paths],
    queryFn: ({ signal }) => readTags(project, paths, signal),
    enabled: paths.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: VALUES_MS,
    // Each section of a long list has its own query key.
    gcTime: 10_000,
  });
}

/** Live values of every tag, to find those with bad quality. */
export function useAllTagValues(project: string, enabled: boolean) {
  return useQuery({
    queryKey: ['tag-values', project, 'all'],
    queryFn: ({ signal }) => readTags(project, ['**'], signal),
    enabled,
    refetchInterval: ALL_VALUES_MS,
  });
}

/** Creates a tag, or changes the one with the path `before`. */
export function useSaveTag(project: string) {
  return useRenewing(
    ['tags', 'tag-values'],
    ({ tag, before }: { tag: unknown; before: string | null }) =>
      before === null
        ? call('POST /projects/:project/tags', {
            path: { project },
            body: draftOf('POST /projects/:project/tags', tag),
          })
        : call('PUT /projects/:project/tags/:tag', {
            path: { project, tag: before },
            body: draftOf('POST /projects/:project/tags', tag),
          }),
    { awaited: false },
  );
}

export function useDeleteTag(project: string) {
  return useRenewing(
    ['tags'],
    (path: string) => call('DELETE /projects/:project/tags/:tag', { path: { project, tag: path } }),
    { awaited: false },
  );
}

/** Write stops; read again regularly, because they can end automatically. */
export function useWriteStops(project: string) {
  return useQuery({
    queryKey: ['write-stops', project],
    queryFn: ({ signal }) => everyItem('GET /projects/:project/write-stops', { path: { project }, signal }),
    refetchInterval: STOPS_MS,
  });
}

export function useStopWrites(project: string) {
  return useRenewing(
    ['write-stops', 'status'],
    (body: { device: string | null; reason: string; until: string | null }) =>
      call('POST /projects/:project/write-stops', { path: { project }, body }),
  );
}

/** `device`: its connection; null: the stop of the project. */
export function useEndStop(project: string) {
  return useRenewing(['write-stops', 'status'], (device: string | null) =>
    call('POST /projects/:project/write-stops/end', { path: { project }, body: { device } }),
  );
}

/** Replaces every tag of the project. */
export function useReplaceTags(project: string) {
  return useRenewing(
    ['tags', 'tag-values'],
    (items: readonly unknown[]) =>
      call('PUT /projects/:project/tags', {
        path: { project },
        body: draftOf('PUT /projects/:project/tags', { items }),
      }),
    { awaited: false },
  );
}

export function useWriteTag(project: string) {
  return useRenewing(
    ['tag-values'],
    (write: { path: string; value: unknown }) =>
      call('POST /projects/:project/tags/write', { path: { project }, body: { writes: [write] } }),
    { awaited: false },
  );
}

// ── Variables ──

export interface Variable {
  name: string;
  value: unknown;
  updatedAt: string;
}

/** Pipelines change them too, without a notification: they are polled while the page is visible. */
export function useVariables(project: string) {
  return useQuery({
    queryKey: ['variables', project],
    queryFn: ({ signal }) => everyItem('GET /projects/:project/variables', { path: { project }, signal }),
    refetchInterval: VARIABLES_MS,
  });
}

export function useSetVariable(project: string) {
  return useRenewing(
    ['variables'],
    ({ name, value }: { name: string; value: unknown }) =>
      call('PUT /projects/:project/variables/:variable', { path: { project, variable: name }, body: { value } }),
    { awaited: false },
  );
}

export function useDeleteVariable(project: string) {
  return useRenewing(
    ['variables'],
    (name: string) => call('DELETE /projects/:project/variables/:variable', { path: { project, variable: name } }),
    { awaited: false },
  );
}

// ── Files ──

export interface FileEntry {
  name: string;
  folder: boolean;
  bytes: number;
  modifiedAt: string;
}

export type FileFormat = 'text' | 'csv' | 'bytes';

export function useFiles(project: string, folder: string) {
  return useQuery({
    queryKey: ['files', project, folder],
    queryFn: async ({ signal }) =>
      (await call('GET /projects/:project/files', { path: { project }, query: { folder }, signal })).items,
    refetchInterval: FILES_MS,
  });
}

/** Bytes are received as `{ base64 }`, CSV as a list of objects. */
export async function readFile(project: string, path: string, format: FileFormat): Promise<unknown> {
  return (await call('GET /projects/:project/files/:file', { path: { project, file: path }, query: { format } }))
    .content;
}

export function useFile(project: string, path: string, format: FileFormat) {
  return useQuery({
    queryKey: ['file', project, path, format],
    queryFn: () => readFile(project, path, format),
    gcTime: 0,
  });
}

/** Whether a file with that path exists. Also false if that is unknown: the write then reports the reason. */
export async function isFile(project: string, path: string): Promise<boolean> {
  const slash = path.lastIndexOf('/');
  const query = { folder: path.slice(0, Math.max(0, slash)) };
  try {
    const { items } = await call('GET /projects/:project/files', { path: { project }, query });
    return items.some(({ name, folder }) => !folder && name === path.slice(slash + 1));
  } catch (error) {
    if (!isApiError(error)) throw error;
    return false;
  }
}

export function useWriteFile(project: string) {
  return useRenewing(
    ['files', 'file'],
    ({ path, ...body }: { path: string; content: unknown; format: FileFormat }) =>
      call('PUT /projects/:project/files/:file', { path: { project, file: path }, body }),
    { awaited: false },
  );
}

export function useDeleteFile(project: string) {
  return useRenewing(
    ['files'],
    (path: string) => call('DELETE /projects/:project/files/:file', { path: { project, file: path } }),
    { awaited: false },
  );
}

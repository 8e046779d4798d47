import { useMutation } from '@tanstack/react-query';
import type { CallAnswer } from '#common/contract/client.ts';
import type { PipelineRecord, ProjectRecord } from '#common/model/records.ts';
import { call, callText, draftOf, pathOf } from './client.ts';
import { useRenewing } from './use-renewing.ts';

/** Export and import of projects and pipelines, and other operations on a project. */

/** Path of the project as a file. */
export function projectExportPath(project: string): string {
  return pathOf('GET /projects/:project/export', { path: { project } });
}

/** A secret that the file does not contain and that must be entered before a start. */
export type ToFillIn = { connection: string; field: string } | { pipeline: string; node: string; field: string };

export type Imported =
  { project: ProjectRecord; toFillIn: ToFillIn[] } | { pipeline: PipelineRecord; toFillIn: ToFillIn[] };

export type ImportInput =
  | { kind: 'project'; file: unknown; id: string; name: string }
  | { kind: 'pipeline'; project: string; file: unknown; id: string };

export function useImport() {
  return useRenewing(['projects', 'pipelines', 'status'], (input: ImportInput): Promise<Imported> =>
    input.kind === 'project'
      ? call('POST /projects/import', {
          body: draftOf('POST /projects/import', { file: input.file, id: input.id, name: input.name }),
        })
      : call('POST /projects/:project/pipelines/import', {
          path: { project: input.project },
          body: draftOf('POST /projects/:project/pipelines/import', { file: input.file, id: input.id }),
        }),
  );
}

/**
 * A copy of the newest revision in the same project. It is created from an export of the pipeline, so it has no
 * secrets: `toFillIn` lists them.
 */
export function useDuplicatePipeline() {
  return useRenewing(['projects', 'pipelines', 'status'], duplicate);
}

async function duplicate({ pipeline, id, name }: { pipeline: PipelineRecord; id: string; name: string }) {
  const project = pipeline.project;
  const path = { project, pipeline: pipeline.id };
  const text = await callText('GET /projects/:project/pipelines/:pipeline/export', { path });
  const file = JSON.parse(text) as { pipeline: object };
  return call('POST /projects/:project/pipelines/import', {
    path: { project },
    body: draftOf('POST /projects/:project/pipelines/import', {
      file: { ...file, pipeline: { ...file.pipeline, name } },
      id,
    }),
  });
}

/** The changes that an apply of a file would make, in English sentences. */
export type ProjectPlan = CallAnswer<'POST /projects/:project/plan'>;

export function usePlanProject(project: string) {
  return useMutation({
    mutationFn: (file: unknown) =>
      call('POST /projects/:project/plan', {
        path: { project },
        body: draftOf('POST /projects/:project/plan', { file }),
      }),
  });
}

/** Applies exactly the plan with this digest. */
export function useApplyProject(project: string) {
  return useRenewing(
    ['projects', 'pipelines', 'status', 'connections', 'queries', 'scripts', 'tags'],
    (input: { file: unknown; digest: string }) =>
      call('POST /projects/:project/apply', {
        path: { project },
        body: draftOf('POST /projects/:project/apply', input),
      }),
  );
}

export function useRenameProject() {
  return useRenewing(['projects', 'pipelines', 'status'], ({ id, name }: { id: string; name: string }) =>
    call('PATCH /projects/:project', { path: { project: id }, body: { name } }),
  );
}

export function useDeleteProject() {
  return useRenewing(['projects', 'pipelines', 'status'], (id: string) =>
    call('DELETE /projects/:project', { path: { project: id } }),
  );
}

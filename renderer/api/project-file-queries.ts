import type { PipelineRecord, ProjectRecord } from '#common/model/records.ts';
import { call, callText, draftOf, pathOf } from './client.ts';
import { useRenewing } from './use-renewing.ts';

/** Projects and pipelines as files, and what else is done to a project. */

/** Path of the project as a file. */
export function projectExportPath(project: string): string {
  return pathOf('GET /projects/:project/export', { path: { project } });
}

/** A secret that the file does not have, and that has to be put in before a start. */
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
 * A copy of the newest revision in the same project. It goes through the file of the pipeline, so it has no secrets:
 * `toFillIn` names them.
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

import type { Response } from 'express';
import { z } from 'zod';
import { newName, projectId } from '#common/model/ids.ts';
import {
  fileText,
  PIPELINES_PER_FILE_MAX,
  PROJECT_FILE_BYTES_MAX,
  pipelineFile,
  type PipelineFile,
  projectFile,
  type ProjectFile,
  secretPlace,
} from '#common/model/project-file.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { defineCall, WRITTEN } from './call.ts';
import { pipelineOf, pipelineRecord } from './pipeline-record.ts';
import { projectOf } from './project-calls.ts';
import { pipelineFileOf, projectFileOf } from './project-file.ts';
import { importPipeline, importProject } from './project-import.ts';
import { makeSampleProject } from './sample-project.ts';
import { pipelineRecord as pipelineSchema, projectRecord } from '#common/contract/records.ts';

/**
 * A project or a pipeline as a file, out and in again. Reading is for whoever may view: each part of a file can be read
 * by a call of its own, and no secret is in it.
 *
 * Limits: PROJECT_FILE_BYTES_MAX and PIPELINES_PER_FILE_MAX, out and in.
 */
const toFillIn = z
  .array(secretPlace)
  .meta({ description: 'Secrets that the file does not have: put them in before a start.' });

export const projectFileCalls = [
  defineCall({
    method: 'get',
    path: '/projects/:project/export',
    access: 'view',
    summary: 'Export a project',
    description:
      'Downloads the project as one JSON file with its pipelines, queries, tags, scripts and connections. The file has no secrets and no keys; `leftOut` names each secret that has to be filled in again.',
    response: null,
    contentType: 'application/json',
    handle(services, context) {
      const project = projectOf(services, context);
      const file = projectFileOf(services, project);
      if (file.pipelines.length > PIPELINES_PER_FILE_MAX)
        throw new SluiceError(
          'conflict',
          `The project has ${file.pipelines.length} pipelines; at most ${PIPELINES_PER_FILE_MAX} can be imported again.`,
        );
      return written(context.response, project.id, file);
    },
  }),
  defineCall({
    method: 'get',
    path: '/projects/:project/pipelines/:pipeline/export',
    access: 'view',
    summary: 'Export a pipeline',
    description: 'Downloads the newest revision of the pipeline as one JSON file, without secrets.',
    response: null,
    contentType: 'application/json',
    handle(services, context) {
      const stored = pipelineOf(services, context);
      return written(context.response, stored.definition.id, pipelineFileOf(stored));
    },
  }),
  defineCall({
    method: 'post',
    path: '/projects/import',
    access: 'edit_pipelines',
    audit: ['project.import'],
    summary: 'Import a project',
    description:
      'Creates a project from an exported file, either all of it or nothing. No pipeline is started. `toFillIn` in the reply names the secrets that the file does not have. A file with connections needs `access_settings` too.',
    body: z.strictObject({ file: projectFile, id: projectId.optional(), name: newName.optional() }),
    bodyBytesMax: PROJECT_FILE_BYTES_MAX,
    errors: ['disk_reserve'],
    status: 201,
    response: z.strictObject({ project: projectRecord, toFillIn }),
    handle(services, context) {
      const { file, id, name } = context.body;
      return importProject(services, context, file, { id, name });
    },
  }),
  defineCall({
    method: 'post',
    path: '/projects/:project/pipelines/import',
    access: 'edit_pipelines',
    audit: ['pipeline.import'],
    summary: 'Import a pipeline',
    description: 'Creates a pipeline from an exported file. It is stopped until it is started.',
    body: z.strictObject({ file: pipelineFile, id: projectId.optional() }),
    bodyBytesMax: PROJECT_FILE_BYTES_MAX,
    errors: ['disk_reserve'],
    status: 201,
    response: z.strictObject({ pipeline: pipelineSchema, toFillIn }),
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { file, id } = context.body;
      const made = await importPipeline(services, context, project, file, { id });
      context.response.set('ETag', `"${made.stored.revision}"`);
      return { pipeline: pipelineRecord(made.stored, services), toFillIn: made.toFillIn };
    },
  }),
  defineCall({
    method: 'post',
    path: '/projects/sample',
    access: 'edit_pipelines',
    audit: ['project.import', 'pipeline.start'],
    summary: 'Create the sample project',
    description:
      'Creates the sample project that ships with Sluice and starts each pipeline that the current user may start. The reply names the pipelines that stay stopped, with the reason.',
    status: 201,
    response: z.strictObject({
      project: projectRecord,
      started: z.array(projectId),
      notStarted: z.array(z.strictObject({ pipeline: projectId, reason: z.string() })),
    }),
    handle: makeSampleProject,
  }),
];

function written(response: Response, name: string, file: ProjectFile | PipelineFile): typeof WRITTEN {
  const text = fileText(file);
  const bytes = Buffer.byteLength(text);
  if (bytes > PROJECT_FILE_BYTES_MAX)
    throw new SluiceError(
      'conflict',
      `The file would have ${bytes} bytes; at most ${PROJECT_FILE_BYTES_MAX} can be imported again.`,
    );
  response.set('Content-Disposition', `attachment; filename="${name}.sluice.json"`);
  response.type('application/json').send(text);
  return WRITTEN;
}

import type { Response } from 'express';
import { projectFileContract } from '#common/contract/project-file.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import {
  fileText,
  PIPELINES_PER_FILE_MAX,
  PROJECT_FILE_BYTES_MAX,
  type PipelineFile,
  type ProjectFile,
} from '#common/model/project-file.ts';
import { defineCall, WRITTEN } from './call.ts';
import { pipelineOf, pipelineRecord } from './pipeline-record.ts';
import { projectOf } from './project-calls.ts';
import { pipelineFileOf, projectFileOf } from './project-file.ts';
import { importPipeline, importProject } from './project-import.ts';
import { makeSampleProject } from './sample-project.ts';

/**
 * Export and import of a project or a pipeline as a file. Reading requires only the right to view: other calls return
 * each part of a file, and it contains no secrets.
 *
 * Limits: PROJECT_FILE_BYTES_MAX and PIPELINES_PER_FILE_MAX, for exports and imports.
 */

export const projectFileCalls = [
  defineCall(projectFileContract.exportProject, {
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
  defineCall(projectFileContract.exportPipeline, {
    handle(services, context) {
      const stored = pipelineOf(services, context);
      return written(context.response, stored.definition.id, pipelineFileOf(stored));
    },
  }),
  defineCall(projectFileContract.importProject, {
    handle(services, context) {
      const { file, id, name } = context.body;
      return importProject(services, context, file, { id, name });
    },
  }),
  defineCall(projectFileContract.importPipeline, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { file, id } = context.body;
      const made = await importPipeline(services, context, project, file, { id });
      context.response.set('ETag', `"${made.stored.revision}"`);
      return { pipeline: pipelineRecord(made.stored, services), toFillIn: made.toFillIn };
    },
  }),
  defineCall(projectFileContract.createSample, {
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

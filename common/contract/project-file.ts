import { z } from 'zod';
import { newName, projectId } from '../model/ids.ts';
import { PROJECT_FILE_BYTES_MAX, pipelineFile, projectFile, secretPlace } from '../model/project-file.ts';
import { declareCall } from './declaration.ts';
import { pipelineRecord as pipelineSchema, projectRecord } from './records.ts';

/**
 * Export and import of a project or a pipeline as a file. An export needs only the permission to view: other calls
 * return the same parts, and the file contains no secrets.
 *
 * Limits: PROJECT_FILE_BYTES_MAX and PIPELINES_PER_FILE_MAX, for exports and imports.
 */
const toFillIn = z
  .array(secretPlace)
  .meta({ description: 'Secrets that the file does not have: put them in before a start.' });

export const projectFileContract = {
  exportProject: declareCall({
    method: 'get',
    path: '/projects/:project/export',
    access: 'view',
    summary: 'Export a project',
    description:
      'Downloads the project as one JSON file with its pipelines, queries, tags, scripts and connections. The file has no secrets and no keys; `leftOut` names each secret that has to be filled in again.',
    response: null,
    contentType: 'application/json',
  }),
  exportPipeline: declareCall({
    method: 'get',
    path: '/projects/:project/pipelines/:pipeline/export',
    access: 'view',
    summary: 'Export a pipeline',
    description: 'Downloads the newest revision of the pipeline as one JSON file, without secrets.',
    response: null,
    contentType: 'application/json',
  }),
  importProject: declareCall({
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
  }),
  importPipeline: declareCall({
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
  }),
  createSample: declareCall({
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
  }),
};

import { z } from 'zod';
import { pipelineDefinition, READ_ONLY_PIPELINE_FIELDS } from '../model/pipeline.ts';
import { declareCall } from './declaration.ts';
import { listOf, pipelineRecord as pipelineSchema, revisionRecord } from './records.ts';

const PIPELINES = '/projects/:project/pipelines';
const PIPELINE = `${PIPELINES}/:pipeline`;

const PASSING = z.strictObject({ passing: z.enum(['true', 'false']).optional() });

export const pipelineContract = {
  list: declareCall({
    method: 'get',
    path: PIPELINES,
    access: 'view',
    summary: 'List pipelines',
    description: 'Lists the pipelines of a project in their newest revision, with the state of each.',
    response: listOf(pipelineSchema),
  }),
  create: declareCall({
    method: 'post',
    path: PIPELINES,
    access: 'edit_pipelines',
    audit: ['pipeline.create'],
    summary: 'Create a pipeline',
    description:
      'Creates a pipeline, which is stopped until it is started. Header values and the TLS key of egress nodes go into the vault; later they read as `{ "set": true }`. With `passing=true` its settings may be as incomplete as in a draft that is saved so.',
    query: PASSING,
    body: pipelineDefinition,
    ignored: READ_ONLY_PIPELINE_FIELDS,
    status: 201,
    response: pipelineSchema,
  }),
  read: declareCall({
    method: 'get',
    path: PIPELINE,
    access: 'view',
    summary: 'Read a pipeline',
    description:
      'Shows the newest revision of a pipeline and its state. The `ETag` header names the revision for `If-Match`.',
    response: pipelineSchema,
  }),
  save: declareCall({
    method: 'put',
    path: PIPELINE,
    access: 'edit_pipelines',
    audit: ['pipeline.save'],
    summary: 'Save a pipeline',
    description:
      'Saves a new revision as a draft; the running revision stays as it is. With `If-Match` the draft is saved only over that revision. `passing=true` replaces the newest revision if the same user saved it in this way and it never ran; such a draft may have settings that are not valid, which refuse its start, except secrets and the targets that they belong to. `{ "set": true }` keeps a secret of the newest revision, unless scheme, host, port or CA of its node changed.',
    query: PASSING,
    body: pipelineDefinition,
    ignored: READ_ONLY_PIPELINE_FIELDS,
    ifMatch: true,
    response: pipelineSchema,
  }),
  remove: declareCall({
    method: 'delete',
    path: PIPELINE,
    access: 'edit_pipelines',
    audit: ['pipeline.delete'],
    summary: 'Delete a pipeline',
    description: 'Deletes the pipeline with its revisions. It is refused while the pipeline runs.',
    errors: ['pipeline_running'],
    response: null,
  }),
  listRevisions: declareCall({
    method: 'get',
    path: `${PIPELINE}/revisions`,
    access: 'view',
    summary: 'List revisions',
    description: 'Lists the revisions that are kept, newest first.',
    response: listOf(revisionRecord),
  }),
  restore: declareCall({
    method: 'post',
    path: `${PIPELINE}/revisions/:revision/restore`,
    access: 'edit_pipelines',
    audit: ['pipeline.restore'],
    summary: 'Restore a revision',
    description:
      'Saves an older revision again as the newest draft. With `If-Match` it is saved only over that revision.',
    ifMatch: true,
    response: pipelineSchema,
  }),
};

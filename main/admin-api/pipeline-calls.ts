import type { Request, Response } from 'express';
import { SluiceError } from '#common/errors/catalogue.ts';
import { type PipelineDefinition, pipelineDefinition, READ_ONLY_PIPELINE_FIELDS } from '#common/model/pipeline.ts';
import type { PipelineRecord, RevisionRecord } from '#common/model/records.ts';
import { saveErrors } from '#common/model/save-check.ts';
import type { StoredPipeline } from '../contracts.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { pipelineOf, pipelineRecord } from './pipeline-record.ts';
import { projectOf } from './project-calls.ts';
import { listOf, page, pipelineRecord as pipelineSchema, revisionRecord } from './schemas.ts';

const PIPELINES = '/projects/:project/pipelines';
const PIPELINE = `${PIPELINES}/:pipeline`;

export const pipelineCalls = [
  defineCall({
    method: 'get',
    path: PIPELINES,
    access: 'view',
    summary: 'List the pipelines of a project',
    response: listOf(pipelineSchema),
    handle(services, context) {
      const { id } = projectOf(services, context);
      return page(services.projects.pipelines(id).map((stored) => pipelineRecord(stored, services.gateway)));
    },
  }),
  defineCall({
    method: 'post',
    path: PIPELINES,
    access: 'edit_pipelines',
    summary: 'Make a pipeline; it does not run yet',
    body: pipelineDefinition,
    prepare: withoutReadOnlyFields,
    status: 201,
    response: pipelineSchema,
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const definition = savable(context.body);
      const { id, name } = definition;
      const act = { act: 'pipeline.create', project, pipeline: id, target: id, detail: name };
      const stored = await services.locks.pipeline(project, id, () =>
        performAct(services, context, act, () => {
          if (services.projects.pipeline(project, id))
            throw new SluiceError('conflict', `There is already a pipeline "${id}" in this project.`);
          return services.projects.createPipeline(project, definition, context.session.user.name);
        }),
      );
      return saved(services, context.response, stored);
    },
  }),
  defineCall({
    method: 'get',
    path: PIPELINE,
    access: 'view',
    summary: 'Read the newest revision of a pipeline',
    response: pipelineSchema,
    handle: (services, context) => answer(services, context.response, pipelineOf(services, context)),
  }),
  defineCall({
    method: 'put',
    path: PIPELINE,
    access: 'edit_pipelines',
    summary: 'Save a new revision as a draft; with If-Match, only over that revision. What runs is not touched',
    body: pipelineDefinition,
    prepare: withoutReadOnlyFields,
    ifMatch: true,
    response: pipelineSchema,
    handle: (services, context) => save(services, context, 'pipeline.save', () => context.body),
  }),
  defineCall({
    method: 'delete',
    path: PIPELINE,
    access: 'edit_pipelines',
    summary: 'Delete a pipeline with its revisions; refused while it runs',
    response: null,
    async handle(services, context) {
      const { project, definition } = pipelineOf(services, context);
      const { id } = definition;
      const act = { act: 'pipeline.delete', project, pipeline: id, target: id };
      await services.locks.pipeline(project, id, () =>
        performAct(services, context, act, () => {
          const { wantedRevision } = pipelineOf(services, context);
          if (wantedRevision !== null)
            throw new SluiceError('pipeline_running', `The pipeline ${id} is running; stop it first.`);
          services.projects.deletePipeline(project, id);
        }),
      );
      services.hub.publish({ kind: 'changed', what: 'pipeline', project, pipeline: id });
      return null;
    },
  }),
  defineCall({
    method: 'get',
    path: `${PIPELINE}/revisions`,
    access: 'view',
    summary: 'List the revisions that are kept, newest first',
    response: listOf(revisionRecord),
    handle(services, context) {
      const { project, definition } = pipelineOf(services, context);
      return page(services.projects.revisions(project, definition.id));
    },
  }),
  defineCall({
    method: 'post',
    path: `${PIPELINE}/revisions/:revision/restore`,
    access: 'edit_pipelines',
    summary: 'Save an older revision anew, as the newest draft; with If-Match, only over that revision',
    ifMatch: true,
    response: pipelineSchema,
    handle: (services, context) =>
      save(services, context, 'pipeline.restore', () => revisionOf(services, context).definition),
  }),
];

/** The revision that the path names. */
function revisionOf(services: Services, context: Pick<Context<unknown, unknown>, 'param'>): RevisionRecord {
  const { project, definition } = pipelineOf(services, context);
  const text = context.param('revision');
  const revision = /^[1-9]\d{0,8}$/.test(text)
    ? services.projects.revision(project, definition.id, Number(text))
    : null;
  if (revision === null) throw unknown('revision');
  return revision;
}

async function save(
  services: Services,
  context: Context<unknown, unknown>,
  actName: string,
  definitionOf: () => PipelineDefinition,
): Promise<PipelineRecord> {
  const { project, definition: current } = pipelineOf(services, context);
  const definition = savable(definitionOf());
  if (definition.id !== current.id)
    throw invalid([{ path: 'id', message: `expected "${current.id}", the id in the path; an id cannot be changed` }]);
  const ifRevision = ifMatch(context.request);
  const detail = actName === 'pipeline.restore' ? `revision ${context.param('revision')}` : definition.name;
  const act = { act: actName, project, pipeline: current.id, target: current.id, detail };
  const by = context.session.user.name;
  const stored = await services.locks.pipeline(project, current.id, () =>
    performAct(services, context, act, () => services.projects.savePipeline(project, definition, by, ifRevision)),
  );
  return saved(services, context.response, stored);
}

function saved(services: Services, response: Response, stored: StoredPipeline): PipelineRecord {
  services.hub.publish({ kind: 'changed', what: 'pipeline', project: stored.project, pipeline: stored.definition.id });
  return answer(services, response, stored);
}

function answer({ gateway }: Services, response: Response, stored: StoredPipeline): PipelineRecord {
  response.set('ETag', `"${stored.revision}"`);
  return pipelineRecord(stored, gateway);
}

function savable(definition: PipelineDefinition): PipelineDefinition {
  const errors = saveErrors(definition);
  if (errors.length > 0) throw invalid(errors);
  return definition;
}

function withoutReadOnlyFields(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const ignored: readonly string[] = READ_ONLY_PIPELINE_FIELDS;
  return Object.fromEntries(Object.entries(body).filter(([field]) => !ignored.includes(field)));
}

/** The revision of `If-Match`: `"7"` or 7; absent or `*` = any. What is neither matches nothing (RFC 9110, 13.1.1). */
function ifMatch(request: Request): number | undefined {
  const header = request.headers['if-match']?.trim();
  if (header === undefined || header === '*') return undefined;
  const match = /^(?:"(\d{1,9})"|(\d{1,9}))$/.exec(header);
  if (match) return Number(match[1] ?? match[2]);
  throw new SluiceError('revision_changed', 'If-Match is no ETag of a revision; expected one such as "7".');
}

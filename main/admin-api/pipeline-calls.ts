import type { Request, Response } from 'express';
import { pipelineContract } from '#common/contract/pipeline.ts';
import { page } from '#common/contract/records.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import type { PipelineRecord, RevisionRecord } from '#common/model/records.ts';
import { passingSaveErrors, saveErrors } from '#common/model/save-check.ts';
import type { StoredPipeline, StoredRevision } from '../contracts.ts';
import { shownDefinition } from '../projects/pipeline-secrets.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { pipelineOf, pipelineRecord } from './pipeline-record.ts';
import { projectOf } from './project-calls.ts';
import { storeDraft, swapped } from './store-draft.ts';
import { ruleBroken, stated } from '#common/errors/rules.ts';

export const pipelineCalls = [
  defineCall(pipelineContract.list, {
    handle(services, context) {
      const { id } = projectOf(services, context);
      return page(services.projects.pipelines(id).map((stored) => pipelineRecord(stored, services)));
    },
  }),
  defineCall(pipelineContract.create, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const definition = draftToSave(context);
      const { id, name } = definition;
      const act = { project, pipeline: id, target: id, detail: name };
      const by = context.session.user.name;
      const { stored } = await services.locks.pipeline(project, id, () =>
        performAct(services, context, act, () => {
          if (services.projects.pipeline(project, id))
            throw new SluiceError('conflict', stated('pipeline_taken', { id }));
          return storeDraft(services, { project, definition, by, before: null }, (bare, secrets) =>
            services.projects.createPipeline(project, bare, by, secrets),
          );
        }),
      );
      return saved(services, context.response, stored);
    },
  }),
  defineCall(pipelineContract.read, {
    handle: (services, context) => answer(services, context.response, pipelineOf(services, context)),
  }),
  defineCall(pipelineContract.save, {
    handle: save,
  }),
  defineCall(pipelineContract.remove, {
    async handle(services, context) {
      const { project, definition } = pipelineOf(services, context);
      const { id } = definition;
      const act = { project, pipeline: id, target: id };
      await services.locks.pipeline(project, id, () =>
        performAct(services, context, act, () => {
          const { wantedRevision } = pipelineOf(services, context);
          if (wantedRevision !== null)
            throw new SluiceError('pipeline_running', `The pipeline ${id} is running; stop it first.`);
          return swapped(services, project, id, () => services.projects.deletePipeline(project, id));
        }),
      );
      services.hub.publish({ kind: 'changed', what: 'pipeline', project, pipeline: id });
      return null;
    },
  }),
  defineCall(pipelineContract.listRevisions, {
    handle(services, context) {
      const { project, definition } = pipelineOf(services, context);
      const revisions = services.projects.revisions(project, definition.id);
      return page(revisions.map((revision) => shownRevision(services, revision)));
    },
  }),
  defineCall(pipelineContract.restore, {
    handle: restore,
  }),
];

function shownRevision({ secrets }: Services, stored: StoredRevision): RevisionRecord {
  const { revision, savedAt, savedBy } = stored;
  return { revision, savedAt, savedBy, definition: shownDefinition(stored, secrets) };
}

/** The revision in the path. */
function revisionOf(services: Services, context: Pick<Context<unknown, unknown>, 'param'>): StoredRevision {
  const { project, definition } = pipelineOf(services, context);
  const text = context.param('revision');
  const revision = /^[1-9]\d{0,8}$/.test(text)
    ? services.projects.revision(project, definition.id, Number(text))
    : null;
  if (revision === null) throw unknown('revision');
  return revision;
}

type DraftContext = Context<{ passing?: 'true' | 'false' | undefined }, PipelineDefinition>;

/** Only a passing draft may have open settings. */
function draftToSave({ query, body }: DraftContext): PipelineDefinition {
  return query.passing === 'true' ? savable(body, passingSaveErrors) : savable(body);
}

async function save(services: Services, context: DraftContext): Promise<PipelineRecord> {
  const { project, definition: current } = pipelineOf(services, context);
  const passing = context.query.passing === 'true';
  const definition = draftToSave(context);
  const { id, name } = definition;
  if (id !== current.id) throw invalid([ruleBroken('id', 'id_fixed', { id: current.id })]);
  const ifRevision = ifMatch(context.request);
  const act = { project, pipeline: id, target: id, detail: name };
  const by = context.session.user.name;
  const { stored } = await services.locks.pipeline(project, id, () =>
    performAct(
      services,
      context,
      act,
      () =>
        storeDraft(services, { project, definition, by, before: pipelineOf(services, context) }, (bare, secrets) =>
          services.projects.savePipeline(project, bare, by, { ifRevision, passing }, secrets),
        ),
      ({ cleared }) => (cleared.length > 0 ? { detail: `${name}; cleared ${clearedNames(cleared)}` } : {}),
    ),
  );
  return saved(services, context.response, stored);
}

/** A revision is restored completely: its secrets are those that were saved with its own URLs. */
async function restore(services: Services, context: Context<unknown, unknown>): Promise<PipelineRecord> {
  const { project, definition } = pipelineOf(services, context);
  const { id } = definition;
  savable(revisionOf(services, context).definition);
  const ifRevision = ifMatch(context.request);
  const detail = `revision ${context.param('revision')}`;
  const act = { project, pipeline: id, target: id, detail };
  const by = context.session.user.name;
  const stored = await services.locks.pipeline(project, id, () =>
    performAct(services, context, act, () => {
      // Read in its turn: a revision that is no longer kept has lost its secrets too.
      const old = revisionOf(services, context);
      return swapped(services, project, id, () =>
        services.projects.savePipeline(project, old.definition, by, { ifRevision }, old.secrets),
      );
    }),
  );
  return saved(services, context.response, stored);
}

const CLEARED_LISTED_MAX = 20;

function clearedNames(cleared: readonly string[]): string {
  const more = cleared.length > CLEARED_LISTED_MAX ? ` and ${cleared.length - CLEARED_LISTED_MAX} more` : '';
  return cleared.slice(0, CLEARED_LISTED_MAX).join(', ') + more;
}

function saved(services: Services, response: Response, stored: StoredPipeline): PipelineRecord {
  services.hub.publish({ kind: 'changed', what: 'pipeline', project: stored.project, pipeline: stored.definition.id });
  return answer(services, response, stored);
}

function answer(services: Services, response: Response, stored: StoredPipeline): PipelineRecord {
  response.set('ETag', `"${stored.revision}"`);
  return pipelineRecord(stored, services);
}

function savable(definition: PipelineDefinition, errorsOf = saveErrors): PipelineDefinition {
  const errors = errorsOf(definition);
  if (errors.length > 0) throw invalid(errors);
  return definition;
}

/** The revision of `If-Match`: `"7"` or 7; absent or `*`: any. Any other value matches nothing (RFC 9110, 13.1.1). */
function ifMatch(request: Request): number | undefined {
  const header = request.headers['if-match']?.trim();
  if (header === undefined || header === '*') return undefined;
  const match = /^(?:"(\d{1,9})"|(\d{1,9}))$/.exec(header);
  if (match) return Number(match[1] ?? match[2]);
  throw new SluiceError('revision_changed', 'If-Match is no ETag of a revision; expected one such as "7".');
}

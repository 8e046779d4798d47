import { SluiceError } from '#common/errors/catalogue.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import { saveErrors } from '#common/model/save-check.ts';
import { loosenings } from '#common/model/widening.ts';
import type { StoredPipeline, StoredStart } from '../contracts.ts';
import { performAct } from './acts.ts';
import { type Acting, type Context, invalid, type Services } from './call.ts';
import { heldId, stopOf, stopPhrase, subjectOf } from './held-change.ts';
import { performRestriction } from './perform-restriction.ts';
import { pipelineOf, pipelineRecord } from './pipeline-record.ts';
import { withoutGateway } from './without-gateway.ts';

/** Starts and stops a pipeline: the permissions, the order, and the steps that are undone if a part fails. */
export function chosen(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'param'>,
  wanted: number | undefined,
): StoredStart {
  const stored = pipelineOf(services, context);
  const { project, definition, revision, secrets } = stored;
  if (wanted === undefined || wanted === revision) return { project, revision, definition, secrets };
  const found = services.projects.revision(project, definition.id, wanted);
  if (found === null)
    throw invalid([
      { path: 'revision', message: `there is no revision ${wanted}; expected one that GET …/revisions lists` },
    ]);
  return { project, revision: wanted, definition: found.definition, secrets: found.secrets };
}

/**
 * Gateway first, then the desired state: a start that the gateway refuses, or that ends with the host, leaves the
 * desired state unchanged. So does a desired state that cannot be stored, because the gateway is then reverted.
 */
export async function start(services: Services, context: Acting<unknown, { revision?: number | undefined }>) {
  const stored = pipelineOf(services, context);
  const { project } = stored;
  const { id } = stored.definition;
  const refuseIfStopped = services.restrictions.watch(subjectOf(stopOf(project, id)));
  await services.locks.pipeline(project, id, async () => {
    const choice = chosen(services, context, context.body.revision);
    const act = { act: 'pipeline.start', project, pipeline: id, target: id, detail: `revision ${choice.revision}` };
    await performAct(services, context, act, async () => {
      // Checked now: this may have waited for another start, and the permission may have been removed since.
      const session = services.people.session(context.credential ?? '');
      const approves = session?.permissions.has('access_settings') ?? false;
      const before = pipelineOf(services, context);
      refuseFaultyDraft(before, choice);
      if (!approves) refuseLoosening(services, before, choice);
      refuseIfStopped();
      services.starting.add(choice);
      try {
        await putIntoForce(services, { before, choice, approves, refuseIfStopped });
      } finally {
        services.starting.delete(choice);
      }
    });
  });
  return changed(services, context);
}

interface PermittedStart {
  readonly before: StoredPipeline;
  readonly choice: StoredStart;
  readonly approves: boolean;
  readonly refuseIfStopped: () => void;
}

async function putIntoForce(
  services: Services,
  { before, choice, approves, refuseIfStopped }: PermittedStart,
): Promise<void> {
  const { gateway, projects, resources } = services;
  const { project, revision } = choice;
  const { id } = choice.definition;
  await gateway.change({ kind: 'start', start: resources.pipeline(choice) });
  try {
    refuseIfStopped();
  } catch (error) {
    // The gateway may already have completed the start.
    await withoutGateway(() => gateway.change({ kind: 'stop', project, pipeline: id }));
    throw error;
  }
  try {
    // First: if the host ends in between, the approval of a stricter revision must not be the part that is lost.
    if (approves) projects.setApproved(project, id, revision);
    projects.setWanted(project, id, revision);
    services.unsaved.drop(heldId(stopOf(project, id)));
  } catch (error) {
    await putBack(services, before);
    throw error;
  }
}

/**
 * A draft that was saved automatically may have settings that only a save refuses, such as a list with an empty entry.
 * A revision that ran or was approved before such a rule existed still starts.
 */
function refuseFaultyDraft({ approvedRevision, wantedRevision }: StoredPipeline, choice: StoredStart): void {
  if (choice.revision === approvedRevision || choice.revision === wantedRevision) return;
  const errors = saveErrors(choice.definition);
  if (errors.length > 0) throw invalid(errors);
}

function refuseLoosening({ projects }: Services, before: StoredPipeline, choice: StoredStart): void {
  const found = loosenings(choice.definition, approvedDefinition(projects, before), projects.approvedRoutes());
  if (found.length === 0) return;
  const texts = found.map(({ text }) => text);
  throw new SluiceError(
    'permission_missing',
    `This start needs the permission access_settings, because ${listed(texts)}.`,
    {
      errors: found
        .slice(0, 100)
        .map(({ node, field, text }) => ({ path: node === undefined ? field : `${node}.${field}`, message: text })),
    },
  );
}

/** Null: never approved. An approved revision that is no longer kept must not count as "never". */
export function approvedDefinition(projects: Services['projects'], stored: StoredPipeline): PipelineDefinition | null {
  if (stored.approvedRevision === null) return null;
  const approved = projects.revision(stored.project, stored.definition.id, stored.approvedRevision);
  if (approved !== null) return approved.definition;
  throw new SluiceError(
    'permission_missing',
    'This start needs the permission access_settings, because the revision it is compared with is not kept any more.',
  );
}

const LISTED_MAX = 20;

function listed(texts: readonly string[]): string {
  const more = texts.length > LISTED_MAX ? `; and ${texts.length - LISTED_MAX} more` : '';
  return texts.slice(0, LISTED_MAX).join('; ') + more;
}

/** If undoing fails, that error is only logged; the response has the original error. */
async function putBack({ gateway, projects, resources, log }: Services, before: StoredPipeline): Promise<void> {
  const { project, wantedRevision } = before;
  const pipeline = before.definition.id;
  const old = wantedRevision === null ? null : projects.revision(project, pipeline, wantedRevision);
  try {
    projects.setWanted(project, pipeline, wantedRevision);
  } catch (error) {
    log.error('the desired state of a pipeline could not be restored', { project, pipeline, error });
  }
  try {
    if (old === null) await gateway.change({ kind: 'stop', project, pipeline });
    else await gateway.change({ kind: 'start', start: resources.pipeline({ project, ...old }) });
  } catch (error) {
    log.error('the former revision could not be restored in the gateway', { project, pipeline, error });
  }
}

/**
 * The gateway first, so that an unwritable disk does not keep a pipeline running. It waits for no other action: a start
 * that was requested before it is refused. Works without a gateway too.
 */
export async function stop(services: Services, context: Acting) {
  const { project, definition } = pipelineOf(services, context);
  const { id } = definition;
  const act = { act: 'pipeline.stop', project, pipeline: id, target: id };
  await performRestriction(services, context, act, stopOf(project, id), stopPhrase(project, id));
  return changed(services, context);
}

function changed(services: Services, context: Acting) {
  const stored = pipelineOf(services, context);
  services.hub.publish({ kind: 'changed', what: 'pipeline', project: stored.project, pipeline: stored.definition.id });
  return pipelineRecord(stored, services);
}

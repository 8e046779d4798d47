import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import type { RunRecord } from '#common/model/records.ts';
import { addedGrants, loosenings } from '#common/model/widening.ts';
import type { Scope } from '#common/scopes.ts';
import type { Session, StoredPipeline } from '../contracts.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { pipelineOf, pipelineRecord } from './pipeline-record.ts';
import { checkResult, listOf, page, pipelineRecord as pipelineSchema, runRecord } from './schemas.ts';

const PIPELINE = '/projects/:project/pipelines/:pipeline';
const revision = z
  .number({ error: 'expected the number of a revision' })
  .int('expected the number of a revision')
  .min(1)
  .max(1e9);
const whichRevision = z.strictObject({ revision: revision.optional() });

export const runCalls = [
  defineCall({
    method: 'post',
    path: `${PIPELINE}/check`,
    access: 'view',
    summary:
      'Check a revision (the newest unless given): what would refuse a start, what is worth a look, which scopes a caller needs',
    body: whichRevision,
    response: checkResult,
    handle(services, context) {
      const { project, definition } = chosen(services, context, context.body.revision);
      return services.gateway.call('check', { project, definition });
    },
  }),
  defineCall({
    method: 'post',
    path: `${PIPELINE}/start`,
    access: 'run_pipelines',
    summary: 'Start a revision (the newest unless given), or swap it in; it is started again after every restart',
    body: whichRevision,
    response: pipelineSchema,
    handle: start,
  }),
  defineCall({
    method: 'post',
    path: `${PIPELINE}/stop`,
    access: 'run_pipelines',
    summary: 'Stop a pipeline: its routes answer 404',
    response: pipelineSchema,
    handle: stop,
  }),
  defineCall({
    method: 'post',
    path: `${PIPELINE}/test`,
    access: 'run_pipelines',
    summary:
      "Run the newest revision once on a message, with a key's scopes (needs access_settings) or the pipeline's grants",
    body: z.strictObject({ message: z.unknown(), keyId: z.string().max(64).optional() }),
    response: runRecord,
    handle: test,
  }),
  defineCall({
    method: 'get',
    path: `${PIPELINE}/runs`,
    access: 'view',
    summary: 'List the last runs, newest first; payloads need edit_pipelines',
    response: listOf(runRecord),
    async handle(services, context) {
      const { project, definition } = pipelineOf(services, context);
      const runs = await services.gateway.call('runs', { project, pipeline: definition.id });
      return page(runs.map((run) => visibleRun(run, context.session)));
    },
  }),
  defineCall({
    method: 'get',
    path: `${PIPELINE}/runs/:run`,
    access: 'view',
    summary: 'Read a run with every node it passed; payloads need edit_pipelines',
    response: runRecord,
    async handle(services, context) {
      const { project, definition } = pipelineOf(services, context);
      const run = await services.gateway.call('run', { project, pipeline: definition.id, run: context.param('run') });
      if (run === null) throw unknown('run');
      return visibleRun(run, context.session);
    },
  }),
];

interface Chosen {
  project: string;
  revision: number;
  definition: PipelineDefinition;
}

function chosen(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'param'>,
  wanted: number | undefined,
): Chosen {
  const stored = pipelineOf(services, context);
  const { project, definition } = stored;
  if (wanted === undefined || wanted === stored.revision) return { project, revision: stored.revision, definition };
  const found = services.projects.revision(project, definition.id, wanted);
  if (found === null)
    throw invalid([
      { path: 'revision', message: `there is no revision ${wanted}; expected one that GET …/revisions lists` },
    ]);
  return { project, revision: wanted, definition: found.definition };
}

/**
 * Gateway first, then the wish: a start that the gateway refuses, or that ends with the host, leaves the wish as it
 * was, and so does a wish that cannot be stored, since the gateway is then put back.
 */
async function start(services: Services, context: Context<unknown, z.infer<typeof whichRevision>>) {
  const stored = pipelineOf(services, context);
  const { project } = stored;
  const { id } = stored.definition;
  await services.locks.pipeline(project, id, async () => {
    const choice = chosen(services, context, context.body.revision);
    const act = { act: 'pipeline.start', project, pipeline: id, target: id, detail: `revision ${choice.revision}` };
    await performAct(services, context, act, async () => {
      const approves = context.session.permissions.has('access_settings');
      const before = pipelineOf(services, context);
      if (!approves) refuseLoosening(services, before, choice);
      await services.gateway.change({ kind: 'start', start: choice });
      try {
        services.projects.setWanted(project, id, choice.revision);
        // Last: if it is lost, the next start is compared with an older revision, which is the stricter answer.
        if (approves) services.projects.setApproved(project, id, choice.revision);
      } catch (error) {
        await putBack(services, before);
        throw error;
      }
    });
  });
  return changed(services, context);
}

function refuseLoosening({ projects }: Services, before: StoredPipeline, choice: Chosen): void {
  const found = loosenings(choice.definition, approvedDefinition(projects, before));
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

/** Null = never approved. An approved revision that is not kept any more must not count as "never". */
function approvedDefinition(projects: Services['projects'], stored: StoredPipeline): PipelineDefinition | null {
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

/** What cannot be put back is logged; the answer tells of the error that began it. */
async function putBack({ gateway, projects, log }: Services, before: StoredPipeline): Promise<void> {
  const { project, wantedRevision } = before;
  const pipeline = before.definition.id;
  const old = wantedRevision === null ? null : projects.revision(project, pipeline, wantedRevision);
  try {
    projects.setWanted(project, pipeline, wantedRevision);
  } catch (error) {
    log.error('the wish to run a pipeline could not be put back', { project, pipeline, error });
  }
  try {
    if (old === null) await gateway.change({ kind: 'stop', project, pipeline });
    else
      await gateway.change({ kind: 'start', start: { project, revision: old.revision, definition: old.definition } });
  } catch (error) {
    log.error('the gateway could not be put back to what ran before', { project, pipeline, error });
  }
}

/** Wish first: a host that ends in between comes up with the pipeline stopped. Works without a gateway too. */
async function stop(services: Services, context: Context<undefined, undefined>) {
  const { project, definition } = pipelineOf(services, context);
  const { id } = definition;
  await services.locks.pipeline(project, id, async () => {
    pipelineOf(services, context);
    await performAct(services, context, { act: 'pipeline.stop', project, pipeline: id, target: id }, async () => {
      services.projects.setWanted(project, id, null);
      await withoutGateway(() => services.gateway.change({ kind: 'stop', project, pipeline: id }));
    });
  });
  return changed(services, context);
}

/** What does not run needs no stopping: a gateway that is down gets the new state when it comes up. */
export async function withoutGateway(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'gateway_down') throw error;
  }
}

function changed(services: Services, context: Context<unknown, unknown>) {
  const stored = pipelineOf(services, context);
  services.hub.publish({ kind: 'changed', what: 'pipeline', project: stored.project, pipeline: stored.definition.id });
  return pipelineRecord(stored, services.gateway);
}

async function test(
  services: Services,
  context: Context<undefined, { message: unknown; keyId?: string | undefined }>,
): Promise<RunRecord> {
  const stored = pipelineOf(services, context);
  const { project, definition, revision } = stored;
  const { message, keyId } = context.body;
  if (message === undefined) throw invalid([{ path: 'message', message: 'expected the message to test with' }]);
  const scopes =
    keyId === undefined
      ? testGrants(services, stored, context.session)
      : keyScopes(services, project, keyId, context.session);
  const rights = keyId === undefined ? "the pipeline's grants" : `the scopes of key ${keyId}`;
  const act = {
    act: 'test',
    type: 'test' as const,
    project,
    pipeline: definition.id,
    target: definition.id,
    detail: `revision ${revision} with ${rights}`,
  };
  const run = await performAct(services, context, { ...act, ...(keyId !== undefined && { keyId }) }, () =>
    services.gateway.call('test', { project, revision, definition, message, scopes }),
  );
  return visibleRun(run, context.session);
}

/** A grant that was only written into a draft must not be used before somebody with access_settings started it. */
function testGrants({ projects }: Services, stored: StoredPipeline, session: Session): Scope[] {
  if (session.permissions.has('access_settings') || stored.definition.grants.length === 0)
    return stored.definition.grants;
  const added = addedGrants(stored.definition, approvedDefinition(projects, stored));
  if (added.length === 0) return stored.definition.grants;
  throw new SluiceError(
    'permission_missing',
    `This test needs the permission access_settings, because the pipeline adds the grant ${added.join(', ')}.`,
  );
}

function keyScopes({ keys }: Services, project: string, keyId: string, session: Session): Scope[] {
  if (!session.permissions.has('access_settings'))
    throw new SluiceError('permission_missing', "Testing with a key's scopes needs the permission access_settings.");
  const key = keys.get(keyId);
  if (key === null || key.project !== project)
    throw invalid([{ path: 'keyId', message: 'expected the id of a key of this project' }]);
  if (key.revokedAt !== null) throw invalid([{ path: 'keyId', message: 'expected a key that is not revoked' }]);
  return key.scopes;
}

/** Payloads may hold what only those who write pipelines should see. */
function visibleRun(run: RunRecord, { permissions }: Session): RunRecord {
  if (permissions.has('edit_pipelines')) return run;
  return { ...run, steps: run.steps.map((step) => ({ ...step, input: null, output: null })), payloadsOmitted: true };
}

import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import type { RunRecord } from '#common/model/records.ts';
import { addedGrants } from '#common/model/widening.ts';
import type { Scope } from '#common/scopes.ts';
import type { Session, StoredPipeline } from '../contracts.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { checkDraft, checked, draftOf } from './check-draft.ts';
import { pipelineOf } from './pipeline-record.ts';
import { approvedDefinition, chosen, start, stop } from './start-stop.ts';
import { checkResult, listOf, page, pipelineRecord as pipelineSchema, runRecord } from '#common/contract/records.ts';

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
    audit: { none: 'Checks a draft and saves nothing.' },
    summary: 'Check a pipeline',
    description:
      'Checks a revision, or a draft that is not saved: errors would refuse a start, warnings deserve a look, and `scopes` lists the scopes that a caller needs. Without a body the newest revision is checked.',
    body: z.strictObject({ revision: revision.optional(), definition: pipelineDefinition.optional() }),
    prepare: draftOf,
    response: checkResult,
    handle(services, context) {
      const { revision, definition } = context.body;
      if (definition) return checkDraft(services, context, definition);
      return checked(services, services.resources.pipeline(chosen(services, context, revision)));
    },
  }),
  defineCall({
    method: 'post',
    path: `${PIPELINE}/start`,
    access: 'run_pipelines',
    audit: ['pipeline.start'],
    summary: 'Start a pipeline',
    description:
      'Starts a revision, or swaps it in place of the running one without a gap. Without `revision` it is the newest. The pipeline is started again after every restart of Sluice.',
    errors: ['route_clash'],
    body: whichRevision,
    response: pipelineSchema,
    handle: start,
  }),
  defineCall({
    method: 'post',
    path: `${PIPELINE}/stop`,
    access: 'run_pipelines',
    audit: ['pipeline.stop'],
    summary: 'Stop a pipeline',
    description:
      'Stops the pipeline. Its routes answer 404 from then on. `not_saved` means the same, but the disk has no room: Sluice saves it later.',
    response: pipelineSchema,
    errors: ['not_saved'],
    handle: stop,
  }),
  defineCall({
    method: 'post',
    path: `${PIPELINE}/test`,
    access: 'run_pipelines',
    audit: ['test'],
    summary: 'Test a pipeline',
    description:
      'Runs the newest revision once on a message, with the scopes of a key or with the grants of the pipeline. Scopes of a key need `access_settings`. The journal records the test.',
    body: z.strictObject({ message: z.unknown(), keyId: z.string().max(64).optional() }),
    response: runRecord,
    handle: test,
  }),
  defineCall({
    method: 'get',
    path: `${PIPELINE}/runs`,
    access: 'view',
    summary: 'List runs',
    description:
      'Lists the last runs of a pipeline, newest first. They are kept in memory only. Payloads are left out without the permission `edit_pipelines`.',
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
    summary: 'Read a run',
    description:
      'Shows one run with every node that it passed. Payloads are left out without the permission `edit_pipelines`.',
    response: runRecord,
    async handle(services, context) {
      const { project, definition } = pipelineOf(services, context);
      const run = await services.gateway.call('run', { project, pipeline: definition.id, run: context.param('run') });
      if (run === null) throw unknown('run');
      return visibleRun(run, context.session);
    },
  }),
];

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
    type: 'test' as const,
    project,
    pipeline: definition.id,
    target: definition.id,
    detail: `revision ${revision} with ${rights}`,
  };
  const run = await performAct(services, context, { ...act, ...(keyId !== undefined && { keyId }) }, () =>
    services.gateway.call('test', { ...services.resources.pipeline(stored), message, scopes }),
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

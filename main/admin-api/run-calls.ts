import { page } from '#common/contract/records.ts';
import { runContract } from '#common/contract/run.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { RunRecord } from '#common/model/records.ts';
import { addedGrants } from '#common/model/widening.ts';
import type { Scope } from '#common/scopes.ts';
import type { Session, StoredPipeline } from '../contracts.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { checkDraft, checked, draftOf } from './check-draft.ts';
import { pipelineOf } from './pipeline-record.ts';
import { approvedDefinition, chosen, start, stop } from './start-stop.ts';

export const runCalls = [
  defineCall(runContract.check, {
    prepare: draftOf,
    handle(services, context) {
      const { revision, definition } = context.body;
      if (definition) return checkDraft(services, context, definition);
      return checked(services, services.resources.pipeline(chosen(services, context, revision)));
    },
  }),
  defineCall(runContract.start, {
    handle: start,
  }),
  defineCall(runContract.stop, {
    handle: stop,
  }),
  defineCall(runContract.test, {
    handle: test,
  }),
  defineCall(runContract.list, {
    async handle(services, context) {
      const { project, definition } = pipelineOf(services, context);
      const runs = await services.gateway.call('runs', { project, pipeline: definition.id });
      return page(runs.map((run) => visibleRun(run, context.session)));
    },
  }),
  defineCall(runContract.read, {
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

/** Payloads may contain data that only users who edit pipelines should see. */
function visibleRun(run: RunRecord, { permissions }: Session): RunRecord {
  if (permissions.has('edit_pipelines')) return run;
  return { ...run, steps: run.steps.map((step) => ({ ...step, input: null, output: null })), payloadsOmitted: true };
}

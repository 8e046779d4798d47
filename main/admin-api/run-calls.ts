import { page } from '#common/contract/records.ts';
import { runContract } from '#common/contract/run.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { ingressNodes } from '#common/model/ingress-routes.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import type { KeyLimits } from '#common/model/key-limits.ts';
import type { KeyRecord, RunRecord } from '#common/model/records.ts';
import type { TestPart } from '#common/model/test-part.ts';
import { addedGrants, widenedLimits } from '#common/model/widening.ts';
import type { Scope } from '#common/scopes.ts';
import type { Session, StoredPipeline } from '../contracts.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';
import { callerOf } from './capability.ts';
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

interface TestBody {
  message: unknown;
  keyId?: string | undefined;
  rights?: 'pipeline' | 'route' | undefined;
  part?: TestPart | undefined;
  rehearsal?: boolean | undefined;
}

async function test(services: Services, context: Context<undefined, TestBody>): Promise<RunRecord> {
  const stored = pipelineOf(services, context);
  const { project, definition, revision } = stored;
  const { message, keyId, part } = context.body;
  if (message === undefined) throw invalid([{ path: 'message', message: 'expected the message to test with' }]);
  expectPart(part, context.session);
  const { scopes, rights, ...held } = testRights(services, stored, context);
  const rehearsal = isRehearsal(services, stored, context);
  const act = {
    type: 'test' as const,
    project,
    pipeline: definition.id,
    target: definition.id,
    detail: `revision ${revision} with ${rights}${partText(part)}${rehearsal ? ', as a rehearsal' : ''}`,
  };
  const run = await performAct(services, context, { ...act, ...(keyId !== undefined && { keyId }) }, () =>
    services.gateway.call('test', {
      ...services.resources.pipeline(stored),
      message,
      scopes,
      who: callerOf(context.who),
      ...(part && { part }),
      rehearsal,
      ...held,
    }),
  );
  return visibleRun(run, context.session);
}

/**
 * These give a node what its pipeline never would, or leave out later steps, such as one that switches a machine off
 * again: only users who could draw that may do it.
 */
function expectPart(part: TestPart | undefined, { permissions }: Session): void {
  if (part?.upTo === undefined && part?.only === undefined && part?.pins === undefined) return;
  if (permissions.has('edit_pipelines')) return;
  throw new SluiceError(
    'permission_missing',
    'Running a part of a pipeline and pinning values need the permission edit_pipelines.',
  );
}

function partText(part: TestPart | undefined): string {
  const pinned = Object.keys(part?.pins ?? {});
  return [
    ...(part?.upTo === undefined ? [] : [`, up to ${part.upTo}`]),
    ...(part?.only === undefined ? [] : [`, only ${part.only}`]),
    ...(pinned.length === 0 ? [] : [`, pinned ${pinned.join(' ')}`]),
  ].join('');
}

/**
 * Whether writes are simulated: as asked, as the key, or as the approved revision. Only a user with `access_settings`
 * ends the rehearsal of a pipeline, so a draft without it does not.
 */
function isRehearsal(
  { keys, projects }: Services,
  stored: StoredPipeline,
  { body: { keyId, rehearsal }, session }: Pick<Context<undefined, TestBody>, 'body' | 'session'>,
): boolean {
  if (rehearsal === true) return true;
  if (keyId !== undefined && keys.get(keyId)?.limits.rehearsal === true) return true;
  return !session.permissions.has('access_settings') && approvedDefinition(projects, stored)?.rehearsal === true;
}

function testRights(
  services: Services,
  stored: StoredPipeline,
  { body: { message, keyId, rights }, session }: Pick<Context<undefined, TestBody>, 'body' | 'session'>,
): { scopes: Scope[]; rights: string; limits?: KeyLimits; limitsOf?: 'key' | 'pipeline' } {
  if (keyId !== undefined && rights !== undefined)
    throw invalid([{ path: 'rights', message: 'expected keyId or rights, not both' }]);
  if (keyId !== undefined)
    return {
      ...keyRights(services, stored.project, keyId, session),
      limitsOf: 'key',
      rights: `the scopes of key ${keyId}`,
    };
  const required = rights === 'route' ? requiredScopes(stored.definition, message) : null;
  if (required === null)
    return {
      scopes: testGrants(services, stored, session),
      limits: stored.definition.limits ?? {},
      limitsOf: 'pipeline',
      rights: "the pipeline's grants",
    };
  expectCaller(services, stored.project, required, session);
  return { scopes: required, rights: 'the scopes that the route requires' };
}

/** Null: runs that begin there have the grants of the pipeline, whatever the caller. */
function requiredScopes(definition: PipelineDefinition, message: unknown): Scope[] | null {
  const wanted = typeof message === 'object' && message !== null && 'node' in message ? message.node : undefined;
  const { nodes } = ingressNodes(definition);
  const entry = wanted === undefined ? nodes[0] : nodes.find(({ id }) => id === wanted);
  if (entry === undefined || entry.route.authType === 'none' || definition.runAs === 'pipeline') return null;
  return entry.route.requiredScopes;
}

/**
 * A draft can require any scope, so a test may use those of its route only if an existing caller of the project has all
 * of them: that caller could make this call. Otherwise the test would have rights that were given to nobody.
 */
function expectCaller({ keys }: Services, project: string, required: readonly Scope[], session: Session): void {
  if (session.permissions.has('access_settings') || required.length === 0) return;
  const couldCall = keys
    .list(project)
    .some(({ revokedAt, scopes }) => revokedAt === null && required.every((scope) => scopes.includes(scope)));
  if (couldCall) return;
  throw new SluiceError(
    'permission_missing',
    `This test needs the permission access_settings, because no valid key of the project has the scopes ${required.join(', ')} that the route requires.`,
  );
}

/**
 * A grant that only exists in a draft must not be used before a user with access_settings has started it, and neither
 * must a wider limit; that of targets needs no grant.
 */
function testGrants({ projects }: Services, stored: StoredPipeline, session: Session): Scope[] {
  if (session.permissions.has('access_settings')) return stored.definition.grants;
  const approved = approvedDefinition(projects, stored);
  const added = addedGrants(stored.definition, approved);
  const widened = widenedLimits(stored.definition, approved);
  if (added.length + widened.length === 0) return stored.definition.grants;
  const what = added.length > 0 ? `adds the grant ${added.join(', ')}` : `widens its limits for ${widened.join(', ')}`;
  throw new SluiceError(
    'permission_missing',
    `This test needs the permission access_settings, because the pipeline ${what}.`,
  );
}

function keyRights(
  { keys }: Services,
  project: string,
  keyId: string,
  session: Session,
): Pick<KeyRecord, 'scopes' | 'limits'> {
  if (!session.permissions.has('access_settings'))
    throw new SluiceError('permission_missing', "Testing with a key's scopes needs the permission access_settings.");
  const key = keys.get(keyId);
  if (key === null || key.project !== project)
    throw invalid([{ path: 'keyId', message: 'expected the id of a key of this project' }]);
  if (key.revokedAt !== null) throw invalid([{ path: 'keyId', message: 'expected a key that is not revoked' }]);
  return { scopes: key.scopes, limits: key.limits };
}

/** Payloads may contain data that only users who edit pipelines should see. */
function visibleRun(run: RunRecord, { permissions }: Session): RunRecord {
  if (permissions.has('edit_pipelines')) return run;
  const { rehearsal } = run;
  const writes = rehearsal?.writes.map(({ node, kind, thing }) => ({ node, kind, thing }));
  return {
    ...run,
    steps: run.steps.map((step) => ({ ...step, input: null, output: null })),
    ...(rehearsal && { rehearsal: { ...rehearsal, writes: writes ?? [] } }),
    payloadsOmitted: true,
  };
}

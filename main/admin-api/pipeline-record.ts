import { READ_ONLY_PIPELINE_FIELDS } from '#common/model/pipeline.ts';
import type { FailedStart } from '#common/control/messages.ts';
import type { PipelineState } from '#common/model/pipeline.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import type { PipelineStamp, StoredPipeline } from '../contracts.ts';
import { shownDefinition } from '../projects/pipeline-secrets.ts';
import { type Context, type Services, unknown } from './call.ts';
import { projectOf } from './project-calls.ts';

/** The pipeline in the path; throws `unknown` if there is none. */
export function pipelineOf(services: Services, context: Pick<Context<unknown, unknown>, 'param'>): StoredPipeline {
  const { id } = projectOf(services, context);
  const pipeline = services.projects.pipeline(id, context.param('pipeline'));
  if (pipeline === null) throw unknown('pipeline');
  return pipeline;
}

/** In the form in which it may be read, without its secrets. */
export function pipelineRecord(
  stored: StoredPipeline,
  { gateway, secrets }: Pick<Services, 'gateway' | 'secrets'>,
): PipelineRecord {
  const { project, revision, updatedAt, updatedBy, wantedRevision, wantedSince, approvedRevision } = stored;
  const state = pipelineState(stored, gateway.failed);
  const runningRevision = state === 'running' ? wantedRevision : null;
  const runningSince = state === 'running' ? wantedSince : null;
  const triggerFaults = gateway.triggerFaults
    .filter((fault) => fault.project === project && fault.pipeline === stored.definition.id)
    .map(({ project: _project, pipeline: _pipeline, ...fault }) => fault);
  const errorsWith200 = gateway.errorsWith200.get(`${project}/${stored.definition.id}`) ?? [];
  const running = { state, runningRevision, runningSince, triggerFaults, errorsWith200, approvedRevision };
  return { ...shownDefinition(stored, secrets), project, revision, ...running, updatedAt, updatedBy };
}

/** A wanted pipeline that did not fail to start counts as running, also while the gateway is being restarted. */
export function pipelineState(
  { project, definition: { id }, wantedRevision }: StoredPipeline,
  failed: readonly FailedStart[],
): PipelineState {
  return stateOf({ project, id, wantedRevision }, failed);
}

/** The state of every pipeline. No definition is read, because this is called every few seconds. */
export function pipelineStates({ projects, gateway }: Pick<Services, 'projects' | 'gateway'>): PipelineState[] {
  return projects.stamps().map((stamp) => stateOf(stamp, gateway.failed));
}

type Wanted = Pick<PipelineStamp, 'project' | 'id' | 'wantedRevision'>;

function stateOf({ project, id, wantedRevision }: Wanted, failed: readonly FailedStart[]): PipelineState {
  if (wantedRevision === null) return 'stopped';
  return failed.some((one) => one.project === project && one.pipeline === id) ? 'failed' : 'running';
}

/** A pipeline as it was read may be sent back. */
export function withoutReadOnlyFields(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const ignored: readonly string[] = READ_ONLY_PIPELINE_FIELDS;
  return Object.fromEntries(Object.entries(body).filter(([field]) => !ignored.includes(field)));
}

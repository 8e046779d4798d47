import { type FieldError, SluiceError } from '#common/errors/catalogue.ts';
import type { PipelineStart } from '#common/control/messages.ts';
import type { CheckFinding, CheckResult, PipelineDefinition } from '#common/model/pipeline.ts';
import { saveErrors } from '#common/model/save-check.ts';
import type { Context, Services } from './call.ts';
import { missingResources } from './missing-resources.ts';
import { queryParamFindings } from './query-params.ts';
import { readOnlyTags } from './read-only-tags.ts';
import { pipelineOf, withoutReadOnlyFields } from './pipeline-record.ts';

/** Checks a draft in the editor: errors that would prevent saving it count too. */
export async function checkDraft(
  services: Services,
  context: Pick<Context<unknown, unknown>, 'param' | 'session'>,
  definition: PipelineDefinition,
): Promise<CheckResult> {
  if (!context.session.permissions.has('edit_pipelines'))
    throw new SluiceError('permission_missing', 'Checking a draft of your own needs the permission edit_pipelines.');
  const start = services.resources.draft(definition, pipelineOf(services, context));
  const result = await checked(services, start);
  const own = unsavable(definition);
  const known = new Set(own.map(placeOf));
  return { ...result, errors: [...own, ...result.errors.filter((finding) => !known.has(placeOf(finding)))] };
}

/** Issues of the gateway, and missing resources of the project. */
export async function checked(
  { gateway, projects }: Services,
  { project, definition }: Pick<PipelineStart, 'project' | 'definition'>,
): Promise<CheckResult> {
  const result = await gateway.call('check', { project, definition });
  const own = [
    ...missingResources(projects.resources, project, definition),
    ...readOnlyTags(projects.resources, project, definition),
    ...queryParamFindings(projects.resources, project, definition),
  ];
  return { ...result, warnings: [...result.warnings, ...own] };
}

/** An error that prevents saving is not reported again as one that prevents the start. */
const placeOf = ({ node, field }: CheckFinding) => `${node} ${field}`;

/** The body of `check`, whose definition can be a pipeline as it was read. */
export function draftOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('definition' in body)) return body;
  return { ...body, definition: withoutReadOnlyFields(body.definition) };
}

function unsavable(definition: PipelineDefinition): CheckFinding[] {
  return saveErrors(definition).map((error) => findingOf(error, definition));
}

const IN_NODE = /^nodes\.(\d+)\.(.+)$/;

function findingOf({ path, ...sentence }: FieldError, { nodes }: PipelineDefinition): CheckFinding {
  const [, index, field] = IN_NODE.exec(path) ?? [];
  const node = nodes[Number(index)]?.id;
  if (node === undefined || field === undefined) return { code: 'unsavable', field: path, ...sentence };
  return { code: 'unsavable', node, field, ...sentence };
}

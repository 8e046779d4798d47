import { type Ingress, ingressNodes } from '#common/model/ingress-routes.ts';
import { pipelineDefinition, type PipelineDefinition } from '#common/model/pipeline.ts';
import type { Permission } from '#common/model/records.ts';
import { loosenings } from '#common/model/widening.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { StoredPipeline } from '../contracts.ts';
import { bare, planFileSecrets, secretPlacesOf } from '../projects/pipeline-secrets.ts';
import { inParentheses } from './differences.ts';
import { compare } from './plan-resources.ts';
import { emptyPart, type PartPlan, type PlanInput } from './plan-part.ts';
import { approvedDefinition } from './start-stop.ts';

/** The pipelines of a project plan. An apply starts and stops nothing: a changed pipeline gets a new revision. */
export function planPipelines({ services, context, file, isNew }: PlanInput): PartPlan {
  const { projects, secrets } = services;
  const { id: project } = file.project;
  const by = context.session.user.name;
  const part = emptyPart();
  // All projects' routes, read once: a file may have many pipelines.
  let read: Ingress[] | null = null;
  const approvedRoutes = (): Ingress[] => (read ??= projects.approvedRoutes());
  const stored = new Map((isNew ? [] : projects.pipelines(project)).map((one) => [one.definition.id, one]));
  const before = [...stored.values()].map(({ definition }) => asInFile(definition));
  for (const { id, action, after, fields } of compare(before, file.pipelines.map(bare), (one) => one.id)) {
    const old = stored.get(id) ?? null;
    const put = (text: string, needs: readonly Permission[]): void =>
      void part.changes.push({ what: 'pipeline', id, action, fields: fields.slice(0, 100), text, needs: [...needs] });
    if (after === null) {
      const isStarted = old?.wantedRevision !== null || projects.isStopHeld(project, id);
      if (isStarted)
        part.refused.push({ code: 'conflict', text: `The pipeline "${id}" runs; stop it before it is deleted.` });
      part.removals.push(() => projects.deletePipeline(project, id));
      put(`The pipeline "${id}" is deleted with its revisions.`, []);
      continue;
    }
    const plan = planFileSecrets(after, old, secrets);
    const open = openSecrets(after, plan.kept);
    part.toFillIn.push(...open.map((place) => ({ pipeline: id, ...place })));
    const approval = approvalOf(projects, approvedRoutes, after, old);
    const lost = plan.cleared.map(
      ({ node, field }) =>
        ` The stored value of ${node}.${field} is deleted, because the node calls another target now.`,
    );
    const text = old === null ? created(after) : changed(old, inParentheses(fields));
    put([text, ...lost, approval.text].join(''), ['run_pipelines', ...approval.needs]);
    part.puts.push(() =>
      old === null
        ? void projects.createPipeline(project, plan.definition, by, plan.kept)
        : void projects.savePipeline(project, plan.definition, by, {}, plan.kept),
    );
  }
  return part;
}

/** Fields that a later release added have their defaults, as in the file that an export writes. */
function asInFile(definition: PipelineDefinition): PipelineDefinition {
  const read = pipelineDefinition.safeParse(bare(definition));
  return read.success ? read.data : bare(definition);
}

function created(definition: PipelineDefinition): string {
  const routes = routesOf(definition);
  const effect =
    routes === '' ? 'It is stopped until a user starts it.' : `It publishes ${routes} once a user starts it.`;
  return `The pipeline "${definition.id}" is created. ${effect}`;
}

function changed({ definition, revision, wantedRevision }: StoredPipeline, fields: string): string {
  const saved = `The pipeline "${definition.id}" changes${fields}: revision ${revision + 1} is saved.`;
  if (wantedRevision === null) return `${saved} It is stopped.`;
  const routes = routesOf(definition);
  const callers = routes === '' ? '' : `, also for the callers of ${routes},`;
  return `${saved} Revision ${wantedRevision} keeps running${callers} until a user starts the new one.`;
}

const ROUTES_LISTED_MAX = 5;

function routesOf(definition: PipelineDefinition): string {
  const routes = ingressNodes(definition).nodes.map(({ route }) => `${route.method} ${route.urlPattern}`);
  const more = routes.length > ROUTES_LISTED_MAX ? ` and ${routes.length - ROUTES_LISTED_MAX} more` : '';
  return routes.slice(0, ROUTES_LISTED_MAX).join(', ') + more;
}

const REASONS_MAX = 10;

/** Whether the start of the new revision needs a user with `access_settings` (docs/spec/users.md#approval-of-starts). */
function approvalOf(
  projects: PlanInput['services']['projects'],
  approvedRoutes: () => Ingress[],
  definition: PipelineDefinition,
  stored: StoredPipeline | null,
): { text: string; needs: Permission[] } {
  try {
    const approved = stored === null ? null : approvedDefinition(projects, stored);
    const reasons = loosenings(definition, approved, approvedRoutes()).map(({ text }) => text);
    if (reasons.length === 0) return { text: '', needs: [] };
    const more = reasons.length > REASONS_MAX ? `; and ${reasons.length - REASONS_MAX} more` : '';
    const listed = reasons.slice(0, REASONS_MAX).join('; ') + more;
    return {
      text: ` Its start needs the approval of a user with access_settings, because ${listed}.`,
      needs: ['access_settings'],
    };
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'permission_missing') throw error;
    return { text: ' Its start needs the approval of a user with access_settings.', needs: ['access_settings'] };
  }
}

function openSecrets(
  definition: PipelineDefinition,
  kept: readonly { node: string; field: string }[],
): { node: string; field: string }[] {
  const held = new Set(kept.map(({ node, field }) => `${node}\n${field}`));
  return secretPlacesOf(definition)
    .filter(({ node, field }) => !held.has(`${node}\n${field}`))
    .map(({ node, field }) => ({ node, field }));
}

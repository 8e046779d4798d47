import { createHash } from 'node:crypto';
import type { PlannedChange } from '#common/contract/project-apply.ts';
import { fileText, type ProjectFile } from '#common/model/project-file.ts';
import type { Acting, Services } from './call.ts';
import { projectFileOf } from './project-file.ts';
import { planConnections, planDrafted, planTags } from './plan-resources.ts';
import { emptyPart, type PartPlan, type PlanInput } from './plan-part.ts';
import { planPipelines } from './plan-pipelines.ts';

/**
 * The effects of an apply of a project file by this user (docs/spec/pipelines.md#plan-and-apply): each change in
 * sentences, and the writes that make it. Nothing is written here.
 */
export interface ProjectPlan extends Pick<PartPlan, 'changes' | 'refused' | 'toFillIn'> {
  isNew: boolean;
  /** Hexadecimal SHA-256 of the stored project, the file and the plan. */
  digest: string;
  /** Changes of resources, which the gateway uses at once. */
  hasResources: boolean;
  /** The project itself and its resources. In a transaction. */
  writeResources(): void;
  /** In the same transaction. */
  writePipelines(): void;
}

export function planOf(services: Services, context: Acting, file: ProjectFile): ProjectPlan {
  const stored = services.projects.project(file.project.id);
  const input: PlanInput = { services, context, file, isNew: stored === null };
  const project = planProject(input);
  const queries = planDrafted(input, 'queries', file.queries);
  const scripts = planDrafted(input, 'scripts', file.scripts);
  const resources = [planConnections(input, queries.active), queries, scripts, planTags(input)];
  const pipelines = planPipelines(input);
  const all = [project, ...resources, pipelines];
  const changes = all.flatMap((part) => part.changes);
  const refused = all.flatMap((part) => part.refused);
  const before = stored === null ? '' : fileText(projectFileOf(services, stored));
  const run = (writes: (() => void)[]): void => writes.forEach((write) => write());
  return {
    changes,
    refused,
    toFillIn: all.flatMap((part) => part.toFillIn),
    isNew: stored === null,
    digest: digestOf([before, fileText(file), JSON.stringify([changes, refused])]),
    hasResources: stored === null || resources.some((part) => part.changes.length > 0),
    writeResources() {
      run(project.puts);
      run(resources.flatMap((part) => part.removals));
      run(resources.flatMap((part) => part.puts));
    },
    writePipelines() {
      run(pipelines.puts);
      // Last: a held stop of the pipeline is forgotten with it, which no rollback restores.
      run(pipelines.removals);
    },
  };
}

function planProject({ services: { projects }, file, isNew }: PlanInput): PartPlan {
  const part = emptyPart();
  const { id, name } = file.project;
  const said = (action: PlannedChange['action'], fields: string[], text: string) =>
    part.changes.push({ what: 'project', id, action, fields, text, needs: [] });
  if (isNew) {
    said('create', [], `The project "${id}" is created.`);
    part.puts.push(() => void projects.createProject({ id, name }));
  } else if (projects.project(id)?.name !== name) {
    said('change', ['name'], `The project "${id}" gets the name "${name}".`);
    part.puts.push(() => void projects.renameProject(id, name));
  }
  return part;
}

function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}\n`).update(text);
  return hash.digest('hex');
}

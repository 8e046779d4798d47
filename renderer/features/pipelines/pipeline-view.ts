import type { PipelineRecord, ProjectRecord } from '#common/model/records.ts';
import { routesOf } from '#ui/routes-of.ts';

export interface PipelineFilter {
  /** Empty: every project. */
  project: string;
  find: string;
}

/**
 * Pipelines that contain every word somewhere: in name, ID, project, or in the method or path of a route. Failed ones
 * first.
 */
export function chosenPipelines(
  list: readonly PipelineRecord[],
  { project, find }: PipelineFilter,
): readonly PipelineRecord[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = list.filter((pipeline) => {
    if (project !== '' && pipeline.project !== project) return false;
    const text = words.length === 0 ? '' : searchText(pipeline);
    return words.every((word) => text.includes(word));
  });
  return chosen.toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'));
}

function searchText(pipeline: PipelineRecord): string {
  const routes = routesOf(pipeline).map(({ method, pattern }) => `${method} ${pattern}`);
  return [pipeline.name, pipeline.id, pipeline.project, ...routes].join('\n').toLowerCase();
}

/** A project, followed by its pipelines. */
export type PipelineRow =
  | { kind: 'project'; id: string; name: string; running: number; count: number }
  | { kind: 'pipeline'; pipeline: PipelineRecord };

/** Projects in the order of their first pipeline, so one with a failed pipeline comes first. */
export function rowsByProject(
  list: readonly PipelineRecord[],
  projects: readonly Pick<ProjectRecord, 'id' | 'name'>[],
): PipelineRow[] {
  return [...Map.groupBy(list, ({ project }) => project)].flatMap(([id, pipelines]): PipelineRow[] => {
    const name = projects.find((project) => project.id === id)?.name ?? id;
    const running = pipelines.filter(({ state }) => state === 'running').length;
    const head: PipelineRow = { kind: 'project', id, name, running, count: pipelines.length };
    return [head, ...pipelines.map((pipeline) => ({ kind: 'pipeline' as const, pipeline }))];
  });
}

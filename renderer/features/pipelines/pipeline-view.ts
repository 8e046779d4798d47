import type { PipelineRecord } from '#common/model/records.ts';
import { routesOf } from '#ui/routes-of.ts';

export interface PipelineFilter {
  /** Empty = every project. */
  project: string;
  find: string;
}

/** Those that have every word somewhere: in name, id, project, or in a route's method or path. Failed ones first. */
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

import { useTags } from '#api/data-queries.ts';
import { useDefinitions } from '#api/definition-queries.ts';
import { usePipelines } from '#api/queries.ts';
import type { ProjectParts } from './connection-users.ts';

/** Everything that can refer to a connection of the project; parts that are not loaded yet are missing. */
export function useProjectParts(project: string): ProjectParts {
  const pipelines = usePipelines().data ?? [];
  const queries = useDefinitions(project, 'queries').data ?? [];
  const tags = useTags(project).data ?? [];
  return { project, pipelines, queries, tags };
}

import { useTags } from '#api/data-queries.ts';
import { useDefinitions } from '#api/definition-queries.ts';
import { usePipelines } from '#api/queries.ts';
import type { ProjectParts } from './connection-users.ts';

/** All that may name a connection of the project; what is not read yet is not there. */
export function useProjectParts(project: string): ProjectParts {
  const pipelines = usePipelines().data ?? [];
  const queries = useDefinitions(project, 'queries').data ?? [];
  const tags = useTags(project).data ?? [];
  return { project, pipelines, queries, tags };
}

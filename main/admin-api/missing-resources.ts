import { EMBEDDED_CONNECTION } from '#common/model/connection.ts';
import type { CheckFinding, PipelineDefinition } from '#common/model/pipeline.ts';
import { isTagPattern } from '#common/model/tag.ts';
import type { ResourceFamily, ResourceStore } from '../contracts.ts';
import { namedBy } from '../projects/resource-users.ts';
import { WORDS } from './resource-change.ts';

/** The limit of reports per node; a list may contain hundreds. */
const LISTED_PER_NODE_MAX = 3;

/**
 * Resources that nodes refer to and the project does not have. A warning: they may be created after the start. Until
 * then the node fails, or its trigger starts no runs.
 */
export function missingResources(
  store: Pick<ResourceStore, 'get'>,
  project: string,
  { nodes }: Pick<PipelineDefinition, 'nodes'>,
): CheckFinding[] {
  return nodes.flatMap((node) => {
    const named = node.off === true ? null : namedBy(node);
    if (named === null) return [];
    const { family, setting } = named;
    const missing = named.ids.filter((id) => isPlain(family, id) && store.get(family, project, id) === null);
    return missing.slice(0, LISTED_PER_NODE_MAX).map((id) => ({
      code: 'resource_missing',
      node: node.id,
      field: `settings.${setting}`,
      message: `there is no ${WORDS[family]} "${id}" in this project`,
    }));
  });
}

/** Whether it names one resource: not a pattern, a template filled by a message, or a resource that always exists. */
function isPlain(family: ResourceFamily, id: string): boolean {
  if (id === '' || id.includes('{{')) return false;
  if (family === 'tags') return !isTagPattern(id);
  return family !== 'connections' || id !== EMBEDDED_CONNECTION;
}

import { stated } from '#common/errors/rules.ts';
import type { CheckFinding, PipelineDefinition } from '#common/model/pipeline.ts';
import { readOnlyReason } from '#common/model/tag.ts';
import type { ResourceStore } from '../contracts.ts';
import { namedBy } from '../projects/resource-users.ts';

/** The limit of names per node; a list may contain hundreds. */
const NAMED_OF_A_NODE_MAX = 3;

/** Read-only tags that a node writes: such a node always fails. */
export function readOnlyTags(
  store: Pick<ResourceStore, 'get'>,
  project: string,
  { nodes }: Pick<PipelineDefinition, 'nodes'>,
): CheckFinding[] {
  return nodes.flatMap((node) => {
    const paths = node.kind === 'tag-write' && node.off !== true ? (namedBy(node)?.ids ?? []) : [];
    const fixed = paths.flatMap((path) => {
      const tag = store.get('tags', project, path);
      return tag !== null && readOnlyReason(tag) !== null ? [path] : [];
    });
    return fixed.slice(0, NAMED_OF_A_NODE_MAX).map((tag) => ({
      code: 'tag_read_only',
      node: node.id,
      field: 'settings.writes',
      ...stated('tag_read_only', { tag }),
    }));
  });
}

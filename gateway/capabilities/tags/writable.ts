import { readOnlyReason, type TagDefinition } from '#common/model/tag.ts';
import { NodeError } from '#sdk';

/**
 * Throws NodeError `tag_read_only` for a tag that is not writable, or whose source is never writable
 * (docs/spec/nodes.md#tags).
 */
export function refuseReadOnly(tag: TagDefinition): void {
  const reason = readOnlyReason(tag);
  if (reason !== null) throw new NodeError('tag_read_only', `${tag.path} cannot be written: ${reason}`);
}

import type { TagDefinition } from '#common/model/tag.ts';
import { NodeError } from '#sdk';

/**
 * Throws NodeError `tag_read_only` for a tag that is not writable, or whose source never is (docs/spec/nodes.md#tags).
 */
export function refuseReadOnly({ path, writable, source }: TagDefinition): void {
  if (source.provider === 'simulator') throw readOnly(path, 'it is simulated');
  if (source.provider === 'modbus' && (source.table === 'discrete' || source.table === 'input'))
    throw readOnly(path, `the Modbus table "${source.table}" can only be read`);
  if (!writable) throw readOnly(path, 'it is not marked as writable');
}

function readOnly(path: string, reason: string): NodeError {
  return new NodeError('tag_read_only', `${path} cannot be written: ${reason}`);
}

import type { TagDefinition } from '#common/model/tag.ts';

/** True if a value that was read for one is also a value of the other. */
export function isSameTag(before: TagDefinition | undefined, tag: TagDefinition): boolean {
  return (
    before !== undefined && before.type === tag.type && JSON.stringify(before.source) === JSON.stringify(tag.source)
  );
}

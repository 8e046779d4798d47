import type { TagDefinition } from '#common/model/tag.ts';

/** True when a value that was read for the one is a value of the other. */
export function isSameTag(before: TagDefinition | undefined, tag: TagDefinition): boolean {
  return (
    before !== undefined && before.type === tag.type && JSON.stringify(before.source) === JSON.stringify(tag.source)
  );
}

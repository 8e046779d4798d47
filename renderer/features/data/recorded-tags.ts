import type { TagDefinition } from '#common/model/tag.ts';

/** True for recorded tags that can be drawn as a line: numbers and booleans. */
export function isDrawn({ history, type }: TagDefinition): boolean {
  return history !== null && type !== 'text' && type !== 'json';
}

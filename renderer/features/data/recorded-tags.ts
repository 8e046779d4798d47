import type { TagDefinition } from '#common/model/tag.ts';

/** True for what is recorded and can be drawn as a line: figures, and true and false. */
export function isDrawn({ history, type }: TagDefinition): boolean {
  return history !== null && type !== 'text' && type !== 'json';
}

import { z } from 'zod';
import { expected } from '../errors/rules.ts';
import { textUpTo } from './bounds.ts';
import { nodeId } from './ids.ts';

/** Notes of authors on the canvas of a pipeline, and groups of its nodes. The gateway does not get them. */
export const NOTES_MAX = 100;
export const NOTE_CHARS_MAX = 2_000;
export const GROUPS_MAX = 50;
export const GROUP_TITLE_CHARS_MAX = 80;
/** As many as a pipeline has nodes at most. */
const GROUP_NODES_MAX = 500;

const canvasNote = z.strictObject({
  id: nodeId,
  text: textUpTo(NOTE_CHARS_MAX).min(1, expected('text')),
  position: z.strictObject({ x: z.number(), y: z.number() }),
});

const canvasGroup = z.strictObject({
  id: nodeId,
  title: textUpTo(GROUP_TITLE_CHARS_MAX).min(1, expected('text')),
  nodes: z
    .array(nodeId)
    .max(GROUP_NODES_MAX, expected('count_max', { max: GROUP_NODES_MAX, of: 'nodes' }))
    .meta({ description: 'Ids of its nodes. Its frame surrounds them.' }),
});

export type CanvasNote = z.infer<typeof canvasNote>;
export type CanvasGroup = z.infer<typeof canvasGroup>;

const haveOwnIds = (list: readonly { id: string }[]) => new Set(list.map(({ id }) => id)).size === list.length;

export const canvasNotes = z
  .array(canvasNote)
  .max(NOTES_MAX, expected('count_max', { max: NOTES_MAX, of: 'notes' }))
  .refine(haveOwnIds, 'two notes have the same id; expected each once');

export const canvasGroups = z
  .array(canvasGroup)
  .max(GROUPS_MAX, expected('count_max', { max: GROUPS_MAX, of: 'groups' }))
  .refine(haveOwnIds, 'two groups have the same id; expected each once');

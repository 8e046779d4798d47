import { GROUPS_MAX, NOTES_MAX, type CanvasGroup, type CanvasNote } from '#common/model/canvas-notes.ts';
import { freeId, snapped, type Draft, type Point } from './draft.ts';
import { placedNodes, type Box } from './geometry.ts';
import type { Kinds } from './ports.ts';

/** Notes and groups of a draft. An impossible change leaves the draft unchanged. */

const NO_NOTES: readonly CanvasNote[] = [];
const NO_GROUPS: readonly CanvasGroup[] = [];
export const notesOf = ({ notes }: Draft): readonly CanvasNote[] => notes ?? NO_NOTES;
export const groupsOf = ({ groups }: Draft): readonly CanvasGroup[] => groups ?? NO_GROUPS;

/** The size of a short note; it grows with the text (canvas.css). */
export const NOTE_WIDTH = 216;
export const NOTE_HEIGHT = 64;
const LINE_HEIGHT = 20;
const LINE_CHARS = 28;
const PADDING = 22;

/** Their heights are estimated: the real ones depend on the font. */
export const noteBoxes = (draft: Draft): Box[] =>
  notesOf(draft).map(({ position, text }) => ({ ...position, width: NOTE_WIDTH, height: heightOfNote(text) }));

function heightOfNote(text: string): number {
  const lines = text.split('\n').map((line) => Math.max(1, Math.ceil(line.length / LINE_CHARS)));
  return Math.max(NOTE_HEIGHT, PADDING + LINE_HEIGHT * lines.reduce((sum, count) => sum + count, 0));
}

/** Everything on the canvas that a new note must not cover. */
export function takenBoxes(draft: Draft, kinds: Kinds): Box[] {
  return [...placedNodes(draft, kinds, null), ...noteBoxes(draft), ...groupBoxes(draft, kinds, null)];
}

export function freeNoteId(draft: Draft): string {
  return freeId('note', new Set(notesOf(draft).map(({ id }) => id)));
}

/** Adds the note, or replaces the one with its id; without text it is removed. */
export function putNote(draft: Draft, note: CanvasNote): Draft {
  const notes = notesOf(draft);
  const before = notes.find(({ id }) => id === note.id);
  if (note.text.trim() === '') return before === undefined ? draft : removeNote(draft, note.id);
  const next = { ...note, position: snapped(note.position) };
  if (before === undefined) return notes.length < NOTES_MAX ? { ...draft, notes: [...notes, next] } : draft;
  const { x, y } = before.position;
  if (before.text === next.text && x === next.position.x && y === next.position.y) return draft;
  return { ...draft, notes: notes.map((one) => (one.id === note.id ? next : one)) };
}

export function removeNote(draft: Draft, id: string): Draft {
  return { ...draft, notes: notesOf(draft).filter((note) => note.id !== id) };
}

/** A node is in at most one group: it leaves its previous one. */
export function addGroup(draft: Draft, nodes: ReadonlySet<string>, title: string): { draft: Draft; id: string } | null {
  const groups = groupsOf(draft);
  if (nodes.size === 0 || groups.length >= GROUPS_MAX) return null;
  const id = freeId('group', new Set(groups.map((group) => group.id)));
  const others = groupsOf(withoutGrouped(draft, nodes));
  return { draft: { ...draft, groups: [...others, { id, title, nodes: [...nodes] }] }, id };
}

export function renameGroup(draft: Draft, id: string, title: string): Draft {
  const before = groupsOf(draft).find((group) => group.id === id);
  if (before === undefined || before.title === title || title.trim() === '') return draft;
  return { ...draft, groups: groupsOf(draft).map((group) => (group.id === id ? { ...group, title } : group)) };
}

/** Its nodes stay. */
export function removeGroup(draft: Draft, id: string): Draft {
  return { ...draft, groups: groupsOf(draft).filter((group) => group.id !== id) };
}

/** Nodes that are deleted, or get another group; a group without nodes ends. */
export function withoutGrouped(draft: Draft, nodes: ReadonlySet<string>): Draft {
  if (groupsOf(draft).every((group) => !group.nodes.some((id) => nodes.has(id)))) return draft;
  const groups = groupsOf(draft).map((group) => ({ ...group, nodes: group.nodes.filter((id) => !nodes.has(id)) }));
  return { ...draft, groups: groups.filter((group) => group.nodes.length > 0) };
}

/** Room around the nodes, and for the title above them. */
const EDGE = 20;
export const TITLE_HEIGHT = 56;

export type GroupBox = Box & { group: CanvasGroup };

/** The frames around the nodes; `moving`: positions of dragged nodes. */
export function groupBoxes(draft: Draft, kinds: Kinds, moving: ReadonlyMap<string, Point> | null): GroupBox[] {
  const placed = new Map(placedNodes(draft, kinds, moving).map((box) => [box.id, box]));
  return groupsOf(draft).flatMap((group) => {
    const boxes = group.nodes.flatMap((id) => placed.get(id) ?? []);
    if (boxes.length === 0) return [];
    const x = Math.min(...boxes.map((box) => box.x)) - EDGE;
    const y = Math.min(...boxes.map((box) => box.y)) - TITLE_HEIGHT;
    const width = Math.max(...boxes.map((box) => box.x + box.width)) + EDGE - x;
    const height = Math.max(...boxes.map((box) => box.y + box.height)) + EDGE - y;
    return [{ group, x, y, width, height }];
  });
}

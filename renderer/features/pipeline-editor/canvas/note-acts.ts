import type { CanvasGroup, CanvasNote } from '#common/model/canvas-notes.ts';
import { editable, meant, type EditorActions } from './editor-actions.ts';
import { GRID, snapped, type Draft, type Point } from '../model/draft.ts';
import { freeSpot } from '../model/geometry.ts';
import {
  addGroup,
  freeNoteId,
  groupsOf,
  NOTE_HEIGHT,
  NOTE_WIDTH,
  putNote,
  removeGroup,
  removeNote,
  renameGroup,
  takenBoxes,
} from '../model/notes.ts';
import { canvasArea, showBox } from './view-acts.ts';
import { focusGround, moveBy } from './edit-acts.ts';

// Actions on notes and groups; each is one undo step.

const ABOUT_CHARS_MAX = 30;
const short = (text: string) => (text.length > ABOUT_CHARS_MAX ? `${text.slice(0, ABOUT_CHARS_MAX)}…` : text);

/** An empty note at a free place, from the upper left corner down; it is kept as soon as it has a text. */
export function writeNewNote(desk: EditorActions): void {
  if (!editable(desk)) return;
  const { left = 0, top = 0 } = canvasArea() ?? {};
  const { draft } = desk.store.snapshot();
  const corner = desk.flow.screenToFlowPosition({ x: left + 4 * GRID, y: top + 4 * GRID });
  const position = freeSpot(takenBoxes(draft, desk.kinds), snapped(corner));
  showBox(desk, { ...position, width: NOTE_WIDTH, height: NOTE_HEIGHT });
  write(desk, { id: freeNoteId(draft), text: '', position });
}

export function write(desk: EditorActions, note: CanvasNote): void {
  if (editable(desk)) desk.canvas.set({ writing: { kind: 'note', note } });
}

export function keepNote(desk: EditorActions, note: CanvasNote): void {
  desk.canvas.set({ writing: null });
  editNotes(desk, 'note', note.text, (draft) => putNote(draft, note));
}

export function moveNoteTo(desk: EditorActions, note: CanvasNote, position: Point): void {
  editNotes(desk, 'note', note.text, (draft) => putNote(draft, { ...note, position }), `note ${note.id}`);
}

export function dropNote(desk: EditorActions, { id, text }: CanvasNote): void {
  editNotes(desk, 'removeNote', text, (draft) => removeNote(draft, id));
  focusGround(desk);
}

/** Around the selected nodes; its title is typed at once. */
export function groupChosen(desk: EditorActions): void {
  const nodes = meant(desk);
  if (!editable(desk)) return;
  if (nodes.size === 0) return desk.canvas.refuse(desk.t('editor.refused.nothingToGroup'));
  const title = desk.t('editor.newGroup');
  let id: string | null = null;
  editNotes(desk, 'group', title, (draft) => {
    const added = addGroup(draft, nodes, title);
    id = added?.id ?? null;
    return added?.draft ?? draft;
  });
  if (id !== null) desk.canvas.set({ writing: { kind: 'group', id } });
}

export function nameGroup(desk: EditorActions, id: string, title: string): void {
  desk.canvas.set({ writing: null });
  editNotes(desk, 'renameGroup', title, (draft) => renameGroup(draft, id, title));
}

export function ungroup(desk: EditorActions, { id, title }: CanvasGroup): void {
  editNotes(desk, 'ungroup', title, (draft) => removeGroup(draft, id));
  focusGround(desk);
}

export function chooseGroup({ store }: EditorActions, id: string): void {
  store.select(groupsOf(store.snapshot().draft).find((group) => group.id === id)?.nodes ?? []);
}

export function moveGroupBy(desk: EditorActions, id: string, dx: number, dy: number): void {
  chooseGroup(desk, id);
  moveBy(desk, dx, dy);
}

function editNotes(
  desk: EditorActions,
  code: 'note' | 'removeNote' | 'group' | 'renameGroup' | 'ungroup',
  about: string,
  change: (draft: Draft) => Draft,
  merge: string | null = null,
): void {
  if (editable(desk)) desk.store.edit({ code, about: short(about) }, change, merge);
}

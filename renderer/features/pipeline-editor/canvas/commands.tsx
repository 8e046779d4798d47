import { choicesOf } from '../model/choices.ts';
import { flowOrder } from '../model/flow-order.ts';
import { nodeViews } from '../model/node-view.ts';
import { choicePick } from './choice-pick.tsx';
import { kindLine } from './choice-words.ts';
import { pasteFromClipboard } from './clip-acts.ts';
import { editable, shown, type EditorActions } from './editor-actions.ts';
import { addBehind, redo, selectAll, tidyUp, undo } from './edit-acts.ts';
import { Glyph } from './glyph.tsx';
import { toggleRunning, toggleSingleKeys } from './key-acts.ts';
import { groupChosen, writeNewNote } from './note-acts.ts';
import type { Pick } from './pick-list.tsx';
import { fit, toggleCanvasOnly, wholeSize } from './view-acts.ts';

/** Results of Ctrl+K: nodes to go to, actions, kinds to add. */
export function commandPicks(desk: EditorActions): Pick[] {
  return [...nodePicks(desk), ...actPicks(desk), ...(editable(desk) ? kindPicks(desk) : [])];
}

function nodePicks(desk: EditorActions): Pick[] {
  const draft = shown(desk);
  const views = nodeViews({
    draft,
    kinds: desk.kinds,
    running: null,
    check: null,
    order: flowOrder(draft, desk.kinds),
  });
  return views.map(({ node, title, mode, category }) => ({
    id: `node-${node.id}`,
    label: node.name ?? node.id,
    note: title === null ? node.kind : kindLine(desk.t, title, mode),
    words: node.id,
    icon: <Glyph kind={node.kind} category={category} />,
    run: () => desk.store.goTo(node.id),
  }));
}

function kindPicks(desk: EditorActions): Pick[] {
  return choicesOf(desk.kinds).map((choice) => {
    const pick = choicePick(desk, choice, () => addBehind(desk, choice));
    return { ...pick, id: `add-${pick.id}`, label: desk.t('editor.command.add', { name: pick.label }) };
  });
}

function actPicks(desk: EditorActions): Pick[] {
  const { t, store, canvas } = desk;
  const act = (id: string, label: string, note: string, run: () => unknown): Pick => ({
    id: `act-${id}`,
    label,
    note,
    run: () => void run(),
  });
  const editing = [
    act('note', t('editor.act.note'), 'N', () => writeNewNote(desk)),
    act('group', t('editor.act.group'), 'G', () => groupChosen(desk)),
    act('tidy', t('editor.act.tidy'), t('editor.command.canvas'), () => tidyUp(desk)),
    act('undo', t('editor.command.undo'), 'Ctrl+Z', () => undo(desk)),
    act('redo', t('editor.command.redo'), 'Ctrl+Shift+Z', () => redo(desk)),
    act('paste', t('editor.command.paste'), 'Ctrl+V', () => pasteFromClipboard(desk, null)),
    act('all', t('editor.command.all'), 'Ctrl+A', () => selectAll(desk)),
  ];
  return [
    ...(editable(desk) ? editing : []),
    act('fit', t('editor.act.fit'), '0', () => fit(desk)),
    act('only', t('editor.act.canvasOnly'), 'F9', () => toggleCanvasOnly(desk)),
    act('whole', t('editor.command.wholeSize'), '1', () => wholeSize(desk)),
    ...(desk.running === null ? [] : [act('running', t('editor.command.running'), 'R', () => toggleRunning(desk))]),
    act('test', t('editor.command.test'), 'Ctrl+Enter', () => store.openDock('test')),
    act('keys', t('editor.act.keys'), '?', () => canvas.set({ popup: { kind: 'keys' } })),
    act('letters', t('editor.command.letters'), t('editor.command.canvas'), () => toggleSingleKeys(desk)),
  ];
}

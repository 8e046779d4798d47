import { editable, shown, type EditorActions } from './editor-actions.ts';
import { copy, cut, duplicate } from './clip-acts.ts';
import { remove, switchOnOff } from './edit-acts.ts';
import { goToSettings } from './key-acts.ts';
import { nodeOf, type Point } from '../model/draft.ts';
import { portsOf } from '../model/ports.ts';
import type { TestedPart } from '../model/store.ts';
import { groupChosen } from './note-acts.ts';
import type { MenuItem } from './popup-menu.tsx';
import { wireByKeys } from './wire-acts.ts';

/** All keyboard actions for a node, for users without a keyboard. */
export function nodeMenu(desk: EditorActions, id: string, at: Point): MenuItem[] {
  const { t, canvas, store } = desk;
  const node = nodeOf(shown(desk), id);
  if (node === undefined) return [];
  const settings = { label: t('editor.menu.settings'), hint: 'Enter', run: () => goToSettings(desk, id) };
  const wires = {
    label: t('editor.menu.wires'),
    hint: 'X',
    run: () => canvas.set({ popup: { kind: 'wires', node: id, at } }),
  };
  const copying = { label: t('editor.menu.copy'), hint: 'Ctrl+C', run: () => void copy(desk) };
  if (!editable(desk)) return [settings, wires, copying];
  const { input, outs, error } = portsOf(node, desk.kinds);
  return [
    settings,
    { label: t('editor.menu.rename'), hint: 'F2', run: () => store.goTo(id, 'name') },
    { label: t('editor.menu.move'), hint: 'Alt+→', run: () => startMove(desk, id) },
    {
      label: t('editor.menu.add'),
      hint: 'A',
      run: () => canvas.set({ popup: { kind: 'add', at, spot: null, wire: null } }),
    },
    ...(outs.length > 0 || error
      ? [{ label: t('editor.menu.wireFrom'), hint: 'W', run: () => wireByKeys(desk, id, 'from', at) }]
      : []),
    ...(input ? [{ label: t('editor.menu.wireTo'), hint: 'Shift+W', run: () => wireByKeys(desk, id, 'to', at) }] : []),
    wires,
    ...(node.off !== true
      ? [
          { label: t('editor.menu.testUpTo'), run: () => testPart(desk, { kind: 'upTo', node: id }) },
          { label: t('editor.menu.testOnly'), run: () => testPart(desk, { kind: 'only', node: id }) },
        ]
      : []),
    { label: t(node.off === true ? 'editor.menu.on' : 'editor.menu.off'), hint: 'E', run: () => switchOnOff(desk) },
    { label: t('editor.act.group'), hint: 'G', run: () => groupChosen(desk) },
    copying,
    { label: t('editor.menu.cut'), hint: 'Ctrl+X', run: () => void cut(desk) },
    { label: t('editor.menu.duplicate'), hint: 'Ctrl+D', run: () => duplicate(desk) },
    { label: t('editor.menu.delete'), hint: t('editor.key.delete'), run: () => remove(desk) },
  ];
}

function testPart({ store }: EditorActions, tested: TestedPart): void {
  store.test(tested);
  store.openDock('test');
}

/** Touch moves only selected nodes. */
function startMove({ store, canvas, t }: EditorActions, id: string): void {
  store.select([id]);
  canvas.focus(id);
  canvas.say(t('editor.said.move'));
}

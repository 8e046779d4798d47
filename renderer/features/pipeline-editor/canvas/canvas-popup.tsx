import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { choicesOf, givesOutput, takesInput } from '../model/choices.ts';
import { nodeOf, wireId } from '../model/draft.ts';
import { wiresFrom, wiresTo } from '../model/flow-order.ts';
import { ERROR_PORT, portsOf } from '../model/ports.ts';
import { useCanvas } from './canvas-context.ts';
import type { Popup } from './canvas-store.ts';
import { choicePick } from './choice-pick.tsx';
import { commandPicks } from './commands.tsx';
import { shown, useEditorActions, type EditorActions } from './editor-actions.ts';
import { add, addBehind, wireText } from './edit-acts.ts';
import { KeysHelp } from './keys-help.tsx';
import { nodeMenu } from './node-menu.ts';
import { PickList } from './pick-list.tsx';
import { PopupMenu, type MenuItem } from './popup-menu.tsx';
import { begin } from './wire-acts.ts';

/** The one list that is open on the canvas. */
export function CanvasPopup() {
  const popup = useCanvas((state) => state.popup);
  return popup === null ? null : <Opened popup={popup} />;
}

function Opened({ popup }: { popup: Popup }) {
  const { t } = useTranslation();
  const desk = useEditorActions();
  switch (popup.kind) {
    case 'add':
      return <AddList popup={popup} />;
    case 'menu':
      return <PopupMenu label={t('editor.act.menu')} items={nodeMenu(desk, popup.node, popup.at)} at={popup.at} />;
    case 'ports':
      return <PopupMenu label={t('editor.act.ports')} items={portItems(desk, popup.node)} at={popup.at} />;
    case 'wires':
      return <PopupMenu label={t('editor.act.wires')} items={wireItems(desk, popup.node)} at={popup.at} />;
    case 'commands':
      return <PickList label={t('editor.act.find')} picks={commandPicks(desk)} at={null} />;
    case 'keys':
      return <KeysHelp />;
  }
}

function AddList({ popup }: { popup: Extract<Popup, { kind: 'add' }> }) {
  const { t } = useTranslation();
  const desk = useEditorActions();
  const { wire, spot } = popup;
  const picks = useMemo(
    () =>
      choicesOf(desk.kinds)
        .filter((choice) => wire === null || (wire.end === 'from' ? takesInput : givesOutput)(choice, desk.kinds))
        .map((choice) =>
          choicePick(desk, choice, () =>
            spot === null && wire === null ? addBehind(desk, choice) : add(desk, choice, spot, wire),
          ),
        ),
    [desk, wire, spot],
  );
  return <PickList label={t(wire === null ? 'editor.act.add' : 'editor.act.addAndWire')} picks={picks} at={popup.at} />;
}

function portItems(desk: EditorActions, id: string): MenuItem[] {
  const node = nodeOf(shown(desk), id);
  if (node === undefined) return [];
  const { outs, error } = portsOf(node, desk.kinds);
  return [...outs, ...(error ? [ERROR_PORT] : [])].map((port) => ({
    label: port,
    run: () => begin(desk, { end: 'from', node: id, port, moves: null }, 'keys', null),
  }));
}

/** Selecting a problem shows it with its remedy. */
function wireItems(desk: EditorActions, id: string): MenuItem[] {
  const draft = shown(desk);
  return [...wiresTo(draft, id), ...wiresFrom(draft, id, desk.kinds)].map((wire) => ({
    label: wireText(desk, wire.from, wire.to),
    hint: wire.port,
    run: () => {
      desk.store.selectWire(wireId(wire));
      desk.canvas.say(desk.t('editor.said.wireChosen', { name: wireText(desk, wire.from, wire.to) }));
    },
  }));
}

import { shown, type EditorActions } from './editor-actions.ts';
import { nodeOf, type Point } from '../model/draft.ts';
import { flowOrder, wiresFrom, wiresTo } from '../model/flow-order.ts';
import { setSingleKeys, singleKeysOn } from './single-keys.ts';

/** Actions that exist only as shortcuts: moving from node to node. */

/** The next node in flow order; null at either end. */
export function nextInFlow(desk: EditorActions, from: string | null, step: 1 | -1): string | null {
  const order = flowOrder(shown(desk), desk.kinds);
  if (from === null) return (step === 1 ? order[0] : null) ?? null;
  return order[order.indexOf(from) + step] ?? null;
}

/** Along the wires: right to the targets, left to the sources, up and down to the neighbours. */
export function alongWires(desk: EditorActions, from: string, key: string): string | null {
  const draft = shown(desk);
  if (key === 'ArrowRight') return wiresFrom(draft, from, desk.kinds)[0]?.to ?? null;
  const [source] = wiresTo(draft, from);
  if (key === 'ArrowLeft') return source?.from ?? null;
  const down = key === 'ArrowDown';
  const siblings = source === undefined ? [] : wiresFrom(draft, source.from, desk.kinds).map((wire) => wire.to);
  const beside = siblings[siblings.indexOf(from) + (down ? 1 : -1)];
  return beside ?? nearest(desk, from, down);
}

function nearest(desk: EditorActions, from: string, down: boolean): string | null {
  const draft = shown(desk);
  const here = nodeOf(draft, from)?.position;
  if (here === undefined) return null;
  const lies = ({ y }: Point) => (down ? y > here.y : y < here.y);
  const away = ({ x, y }: Point) => Math.hypot((x - here.x) * 2, y - here.y);
  const found = draft.nodes.filter((node) => node.id !== from && lies(node.position));
  return found.toSorted((a, b) => away(a.position) - away(b.position))[0]?.id ?? null;
}

export function goToSettings(desk: EditorActions, id: string): void {
  desk.store.select([id]);
  desk.store.showCanvasOnly(false);
  desk.store.showPane('settings');
  // The panel draws its form first.
  requestAnimationFrame(() => {
    const first = '[data-region="settings"] .settings-body :is(input, select, textarea, button)';
    const field = document.querySelector<HTMLElement>(first);
    // A closed panel is opened.
    if (field === null) desk.store.goTo(id, 'name');
    else field.focus();
  });
}

export function toggleRunning(desk: EditorActions): void {
  const { store, canvas, running, t } = desk;
  if (running === null) return canvas.refuse(t('editor.refused.notRunning'));
  const shows = !store.snapshot().showsRunning;
  canvas.cancel();
  store.showRunning(shows);
  canvas.say(t(shows ? 'editor.said.showsRunning' : 'editor.said.showsDraft'));
}

export function toggleSingleKeys({ canvas, t }: EditorActions): void {
  const on = !singleKeysOn();
  setSingleKeys(on);
  canvas.say(t(on ? 'editor.said.lettersOn' : 'editor.said.lettersOff'));
}

/** The menu of a node, which is selected by it unless it already was. */
export function nodeMenuAt({ store, canvas }: EditorActions, node: string, at: Point): void {
  if (!store.snapshot().nodes.has(node)) store.select([node]);
  canvas.set({ popup: { kind: 'menu', node, at }, current: node });
}

import { useCallback, type KeyboardEvent as ReactKeyboardEvent } from 'react';
import type { Point } from '../model/draft.ts';
import { ARROWS } from './arrows.ts';
import { editable, type EditorActions } from './editor-actions.ts';
import { moveBy, remove, switchOnOff } from './edit-acts.ts';
import { alongWires, goToSettings, nextInFlow, nodeMenuAt, toggleRunning } from './key-acts.ts';
import { groupChosen, writeNewNote } from './note-acts.ts';
import { singleKeysOn } from './single-keys.ts';
import { isTyping } from './typing.ts';
import { useClipboard } from './use-clipboard.ts';
import { useEditorKeys } from './use-editor-keys.ts';
import { besideNode, canvasArea, fit, wholeSize, zoomIn, zoomOut } from './view-acts.ts';
import { aim, finishAt, wireByKeys } from './wire-acts.ts';

/**
 * Keys of the canvas (editor.md, Keys). Letters work with the focus on it; Ctrl and F keys everywhere except in text
 * fields.
 */
export function useCanvasKeys(desk: EditorActions): (event: ReactKeyboardEvent) => void {
  useEditorKeys(desk);
  useClipboard(desk);
  return useCallback((event) => pressed(desk, event), [desk]);
}

type Act = (desk: EditorActions, id: string | null, event: ReactKeyboardEvent) => unknown;

const LETTERS: Record<string, Act> = {
  a: (desk, id) => openAddList(desk, id),
  w: (desk, id) => id !== null && wireByKeys(desk, id, 'from', besideNode(desk, id)),
  W: (desk, id) => id !== null && wireByKeys(desk, id, 'to', besideNode(desk, id)),
  x: (desk, id) => id !== null && desk.canvas.set({ popup: { kind: 'wires', node: id, at: besideNode(desk, id) } }),
  e: (desk) => switchOnOff(desk),
  n: (desk) => writeNewNote(desk),
  g: (desk) => groupChosen(desk),
  r: (desk) => toggleRunning(desk),
  '+': (desk) => zoomIn(desk),
  '=': (desk) => zoomIn(desk),
  '-': (desk) => zoomOut(desk),
  '0': (desk) => fit(desk),
  '1': (desk) => wholeSize(desk),
  '/': (desk) => desk.canvas.set({ popup: { kind: 'commands' } }),
  '?': (desk) => desk.canvas.set({ popup: { kind: 'keys' } }),
};

const NAMED: Record<string, Act> = {
  Escape: (desk) => escape(desk),
  Delete: (desk) => remove(desk),
  Backspace: (desk) => remove(desk),
  Enter: (desk, id) => id !== null && goToSettings(desk, id),
  F2: (desk, id) => id !== null && desk.store.goTo(id, 'name'),
  ' ': (desk, id, event) => id !== null && choose(desk, id, event.ctrlKey || event.metaKey),
  ContextMenu: (desk, id) => id !== null && nodeMenuAt(desk, id, besideNode(desk, id)),
  ArrowLeft: follow,
  ArrowRight: follow,
  ArrowUp: follow,
  ArrowDown: follow,
};

function pressed(desk: EditorActions, event: ReactKeyboardEvent): void {
  if (isTyping(event.target)) return;
  const id = nodeAt(event.target);
  const { wiring } = desk.canvas.snapshot();
  if (wiring?.how === 'keys') return wiringKey(desk, event);
  if (event.key === 'Tab') return tab(desk, id, event);
  const act = actOf(event);
  if (act === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  act(desk, id, event);
}

function actOf(event: ReactKeyboardEvent): Act | undefined {
  const { key, ctrlKey, metaKey, altKey } = event;
  // Buttons on the canvas keep their own Enter and Space.
  const onButton = event.target instanceof HTMLButtonElement;
  if (onButton && (key === 'Enter' || key === ' ')) return undefined;
  if (altKey) return key.startsWith('Arrow') ? moveByArrow : undefined;
  if (key === 'F10' && event.shiftKey) return NAMED['ContextMenu'];
  if (ctrlKey || metaKey) return key === ' ' ? NAMED[' '] : undefined;
  return NAMED[key] ?? (singleKeysOn() ? (LETTERS[key] ?? LETTERS[key.toLowerCase()]) : undefined);
}

function nodeAt(target: EventTarget): string | null {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-node]')?.dataset['node'] ?? null) : null;
}

function moveByArrow(desk: EditorActions, _id: string | null, { key }: ReactKeyboardEvent): void {
  const { x, y } = ARROWS[key] ?? { x: 0, y: 0 };
  moveBy(desk, x, y);
}

function follow(desk: EditorActions, id: string | null, { key }: ReactKeyboardEvent): void {
  const next = id === null ? nextInFlow(desk, null, 1) : alongWires(desk, id, key);
  if (next !== null) desk.canvas.focus(next);
}

/** Tab moves through the nodes in flow order and leaves the canvas after the last node. */
function tab(desk: EditorActions, id: string | null, event: ReactKeyboardEvent): void {
  const onGround = event.target instanceof Element && event.target.classList.contains('react-flow');
  if (id === null && !onGround) return;
  if (id === null && event.shiftKey) return;
  const next = nextInFlow(desk, id, event.shiftKey ? -1 : 1);
  if (next !== null) {
    event.preventDefault();
    return desk.canvas.focus(next);
  }
  if (!event.shiftKey) return;
  event.preventDefault();
  document.querySelector<HTMLElement>('.editor-canvas .react-flow')?.focus();
}

function wiringKey(desk: EditorActions, event: ReactKeyboardEvent): void {
  const { wiring } = desk.canvas.snapshot();
  event.preventDefault();
  event.stopPropagation();
  if (event.key === 'Escape' || event.key === 'Tab') {
    desk.canvas.set({ wiring: null });
    return desk.canvas.say(desk.t('editor.said.cancelled'));
  }
  if (event.key === 'ArrowRight' || event.key === 'ArrowDown') return aim(desk, 1);
  if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') return aim(desk, -1);
  if (event.key === 'Enter' && wiring !== null && wiring.target !== null) finishAt(desk, wiring.target, null);
}

function escape(desk: EditorActions): void {
  const { wiring, placing, refused } = desk.canvas.snapshot();
  desk.canvas.cancel();
  if (wiring === null && placing === null && refused === null) desk.store.select([]);
}

function choose(desk: EditorActions, id: string, adds: boolean): void {
  const { nodes } = desk.store.snapshot();
  if (!adds) return desk.store.select(nodes.has(id) && nodes.size === 1 ? [] : [id]);
  desk.store.select(nodes.has(id) ? [...nodes].filter((one) => one !== id) : [...nodes, id]);
}

/** The list of kinds: after the node, or in the middle. */
export function openAddList(desk: EditorActions, id: string | null): void {
  if (!editable(desk)) return;
  const at = id === null ? middle() : besideNode(desk, id);
  // After the focused node, whatever was selected before: the list takes its focus.
  if (id !== null) desk.store.select([id]);
  desk.canvas.set({ popup: { kind: 'add', at, spot: null, wire: null } });
}

function middle(): Point {
  const area = canvasArea();
  return { x: (area?.left ?? 0) + (area?.width ?? 0) / 2 - 150, y: (area?.top ?? 0) + 40 };
}

import { useCallback, useEffect, useRef, type KeyboardEvent as ReactKeyboardEvent } from 'react';
import { useEditorContext } from '../editor-context.tsx';
import { copyText } from '../model/clipboard.ts';
import type { Point } from '../model/draft.ts';
import { editable, meant, shown, type Desk } from './desk.ts';
import { duplicate, moveBy, pasteText, redo, remove, selectAll, switchOnOff, undo } from './edit-acts.ts';
import { alongWires, goToSettings, nextInFlow, nextProblem, nodeMenuAt, toggleRunning } from './key-acts.ts';
import { singleKeysOn } from './single-keys.ts';
import { besideNode, canvasArea, fit, wholeSize, zoomIn, zoomOut } from './view-acts.ts';
import { aim, finishAt, wireByKeys } from './wire-acts.ts';

/** Keys of the canvas (editor.md, Keys). Letters act with the focus on it; Ctrl and F keys wherever nobody types. */
export function useCanvasKeys(desk: Desk): (event: ReactKeyboardEvent) => void {
  useEditorKeys(desk);
  useClipboard(desk);
  return useCallback((event) => pressed(desk, event), [desk]);
}

type Act = (desk: Desk, id: string | null, event: ReactKeyboardEvent) => unknown;

const LETTERS: Record<string, Act> = {
  a: (desk, id) => openAdd(desk, id),
  w: (desk, id) => id !== null && wireByKeys(desk, id, 'from', besideNode(desk, id)),
  W: (desk, id) => id !== null && wireByKeys(desk, id, 'to', besideNode(desk, id)),
  x: (desk, id) => id !== null && desk.canvas.set({ popup: { kind: 'wires', node: id, at: besideNode(desk, id) } }),
  e: (desk) => switchOnOff(desk),
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

function pressed(desk: Desk, event: ReactKeyboardEvent): void {
  if (isTyping(event.target)) return;
  const id = nodeAt(event.target);
  const { wiring } = desk.canvas.snapshot();
  if (wiring?.how === 'keys') return wiringKey(desk, event);
  if (event.key === 'Tab') return tab(desk, id, event);
  const act = actOf(desk, event);
  if (act === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  act(desk, id, event);
}

function actOf(_desk: Desk, event: ReactKeyboardEvent): Act | undefined {
  const { key, ctrlKey, metaKey, altKey } = event;
  // Buttons on the canvas keep their own Enter and Space.
  const onButton = event.target instanceof HTMLButtonElement;
  if (onButton && (key === 'Enter' || key === ' ')) return undefined;
  if (altKey) return key.startsWith('Arrow') ? moveByArrow : undefined;
  if (key === 'F10' && event.shiftKey) return NAMED['ContextMenu'];
  if (ctrlKey || metaKey) return key === ' ' ? NAMED[' '] : undefined;
  return NAMED[key] ?? (singleKeysOn() ? (LETTERS[key] ?? LETTERS[key.toLowerCase()]) : undefined);
}

function isTyping(target: EventTarget): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}

function nodeAt(target: EventTarget): string | null {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-node]')?.dataset['node'] ?? null) : null;
}

const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function moveByArrow(desk: Desk, _id: string | null, { key }: ReactKeyboardEvent): void {
  const { x, y } = ARROWS[key] ?? { x: 0, y: 0 };
  moveBy(desk, x, y);
}

function follow(desk: Desk, id: string | null, { key }: ReactKeyboardEvent): void {
  const next = id === null ? nextInFlow(desk, null, 1) : alongWires(desk, id, key);
  if (next !== null) desk.canvas.focus(next);
}

/** Tab goes through the nodes in flow order, and on from the last. */
function tab(desk: Desk, id: string | null, event: ReactKeyboardEvent): void {
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

function wiringKey(desk: Desk, event: ReactKeyboardEvent): void {
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

function escape(desk: Desk): void {
  const { wiring, placing, refused } = desk.canvas.snapshot();
  desk.canvas.cancel();
  if (wiring === null && placing === null && refused === null) desk.store.select([]);
}

function choose(desk: Desk, id: string, adds: boolean): void {
  const { nodes } = desk.store.snapshot();
  if (!adds) return desk.store.select(nodes.has(id) && nodes.size === 1 ? [] : [id]);
  desk.store.select(nodes.has(id) ? [...nodes].filter((one) => one !== id) : [...nodes, id]);
}

function openAdd(desk: Desk, id: string | null): void {
  if (!editable(desk)) return;
  const at = id === null ? middle() : besideNode(desk, id);
  desk.canvas.set({ popup: { kind: 'add', at, spot: null, wire: null } });
}

function middle(): Point {
  const area = canvasArea();
  return { x: (area?.left ?? 0) + (area?.width ?? 0) / 2 - 150, y: (area?.top ?? 0) + 40 };
}

/** Keys that act wherever nobody types. */
function useEditorKeys(desk: Desk): void {
  const { check } = useEditorContext();
  const latest = useRef(check);
  const problem = useRef(-1);
  useEffect(() => {
    latest.current = check;
  }, [check]);
  useEffect(() => {
    const keys: Record<string, (event: KeyboardEvent) => void> = {
      'ctrl+z': () => undo(desk),
      'ctrl+shift+z': () => redo(desk),
      'ctrl+y': () => redo(desk),
      'ctrl+d': () => duplicate(desk),
      'ctrl+a': () => selectAll(desk),
      f8: () => (problem.current = nextProblem(desk, latest.current, 1, problem.current)),
      'shift+f8': () => (problem.current = nextProblem(desk, latest.current, -1, problem.current)),
    };
    const listen = (event: KeyboardEvent) => {
      const name = keyName(event);
      if (name === 'ctrl+k') {
        event.preventDefault();
        return desk.canvas.set({ popup: { kind: 'commands' } });
      }
      const act = keys[name];
      if (act === undefined || (event.target !== null && isTyping(event.target)) || inDialog(event)) return;
      event.preventDefault();
      act(event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [desk]);
}

function inDialog({ target }: Event): boolean {
  return target instanceof Element && target.closest('[role=dialog]') !== null;
}

function keyName({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string {
  return [(ctrlKey || metaKey) && 'ctrl', altKey && 'alt', shiftKey && 'shift', key.toLowerCase()]
    .filter(Boolean)
    .join('+');
}

/** Copy, cut and paste by the browser's own events: they need no permission, and work over plain HTTP too. */
function useClipboard(desk: Desk): void {
  useEffect(() => {
    let pointer: Point | null = null;
    const watch = ({ clientX: x, clientY: y }: PointerEvent) => {
      pointer = { x, y };
    };
    const copy = (event: ClipboardEvent) => {
      const ids = meant(desk);
      if (!onCanvas() || ids.size === 0 || event.clipboardData === null) return;
      event.clipboardData.setData('text/plain', copyText(shown(desk), ids));
      event.preventDefault();
      desk.canvas.say(desk.t('editor.said.copied', { name: desk.t('editor.nodes', { count: ids.size }) }));
      if (event.type === 'cut') remove(desk);
    };
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!onCanvas() || text === '') return;
      event.preventDefault();
      pasteText(desk, text, spotOf(desk, pointer));
    };
    document.addEventListener('pointermove', watch);
    document.addEventListener('copy', copy);
    document.addEventListener('cut', copy);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('pointermove', watch);
      document.removeEventListener('copy', copy);
      document.removeEventListener('cut', copy);
      document.removeEventListener('paste', paste);
    };
  }, [desk]);
}

/** The focus is on the canvas, or nowhere. Marked text is copied by the browser. */
function onCanvas(): boolean {
  const { activeElement } = document;
  if (activeElement !== null && isTyping(activeElement)) return false;
  if (activeElement === null || activeElement === document.body) return true;
  return activeElement.closest('.editor-canvas, .editor-palette') !== null;
}

/** Where the pointer is over the canvas, else null. */
function spotOf({ flow }: Desk, pointer: Point | null): Point | null {
  const area = canvasArea();
  if (pointer === null || area === null) return null;
  const inside = pointer.x > area.left && pointer.x < area.right && pointer.y > area.top && pointer.y < area.bottom;
  return inside ? flow.screenToFlowPosition(pointer) : null;
}

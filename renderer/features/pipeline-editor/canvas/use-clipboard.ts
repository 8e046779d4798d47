import { useEffect } from 'react';
import { copyText } from '../model/clipboard.ts';
import type { Point } from '../model/draft.ts';
import { pasteText } from './clip-acts.ts';
import { meant, shown, type EditorActions } from './editor-actions.ts';
import { removeIds } from './edit-acts.ts';
import { isTyping } from './typing.ts';
import { canvasArea } from './view-acts.ts';

/** Copy, cut and paste with the browser's own events: they need no permission, and also work over plain HTTP. */
export function useClipboard(desk: EditorActions): void {
  useEffect(() => {
    let pointer: Point | null = null;
    const watch = ({ clientX: x, clientY: y }: PointerEvent) => {
      pointer = { x, y };
    };
    const copy = (event: ClipboardEvent) => {
      const ids = meant(desk);
      if (!onCanvas() || isTextMarked() || ids.size === 0 || event.clipboardData === null) return;
      event.clipboardData.setData('text/plain', copyText(shown(desk), ids));
      event.preventDefault();
      desk.canvas.say(desk.t('editor.said.copied', { name: desk.t('editor.nodes', { count: ids.size }) }));
      if (event.type === 'cut') removeIds(desk, ids, 'cut');
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

/** Without focus, the browser copies the selected text (for example of a run). */
function isTextMarked(): boolean {
  const { activeElement } = document;
  return (activeElement === null || activeElement === document.body) && getSelection()?.isCollapsed === false;
}

/** The focus is on the canvas, or on nothing. */
function onCanvas(): boolean {
  const { activeElement } = document;
  if (activeElement !== null && isTyping(activeElement)) return false;
  if (activeElement === null || activeElement === document.body) return true;
  return activeElement.closest('.editor-canvas, .editor-palette') !== null;
}

/** The position of the pointer if it is over the canvas, else null. */
function spotOf({ flow }: EditorActions, pointer: Point | null): Point | null {
  const area = canvasArea();
  if (pointer === null || area === null) return null;
  const inside = pointer.x > area.left && pointer.x < area.right && pointer.y > area.top && pointer.y < area.bottom;
  return inside ? flow.screenToFlowPosition(pointer) : null;
}

import { useEffect } from 'react';
import { duplicate } from './clip-acts.ts';
import type { EditorActions } from './editor-actions.ts';
import { redo, selectAll, undo } from './edit-acts.ts';
import { toggleCanvasOnly } from './view-acts.ts';
import { isTyping } from './typing.ts';

/** Keys that work everywhere except in text fields. */
export function useEditorKeys(desk: EditorActions): void {
  useEffect(() => {
    const keys: Record<string, () => void> = {
      'ctrl+z': () => undo(desk),
      'ctrl+shift+z': () => redo(desk),
      'ctrl+y': () => redo(desk),
      'ctrl+d': () => duplicate(desk),
      'ctrl+a': () => selectAll(desk),
    };
    const listen = (event: KeyboardEvent) => {
      const name = keyName(event);
      if (inDialog(event)) return;
      if (name === 'ctrl+k') {
        event.preventDefault();
        return desk.canvas.set({ popup: { kind: 'commands' } });
      }
      if (name === 'f9') {
        event.preventDefault();
        return toggleCanvasOnly(desk);
      }
      const act = keys[name];
      if (act === undefined || (event.target !== null && isTyping(event.target))) return;
      event.preventDefault();
      act();
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

import { useEffect, useRef } from 'react';
import { useEditorContext } from '../editor-context.tsx';
import { duplicate } from './clip-acts.ts';
import type { Desk } from './desk.ts';
import { redo, selectAll, undo } from './edit-acts.ts';
import { nextProblem } from './key-acts.ts';
import { isTyping } from './typing.ts';

/** Keys that act wherever nobody types. */
export function useEditorKeys(desk: Desk): void {
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

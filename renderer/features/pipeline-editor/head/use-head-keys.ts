import { useEffect } from 'react';
import type { EditorContext } from '../editor-context.tsx';

/** Ctrl+S saves, Ctrl+Shift+Enter starts, Ctrl+Enter opens the test. */
export function useHeadKeys({ store, saveNow, mayEdit, mayRun }: EditorContext, start: () => void): void {
  useEffect(() => {
    const act = (event: KeyboardEvent): (() => void) | null => {
      const { key, shiftKey } = event;
      const withControl = event.ctrlKey || event.metaKey;
      if (withControl && key.toLowerCase() === 's' && !shiftKey)
        return mayEdit ? () => void saveNow().catch(() => undefined) : () => undefined;
      if (withControl && key === 'Enter' && mayRun) return shiftKey ? start : () => store.openDock('test');
      return null;
    };
    const hear = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || document.querySelector('[role="dialog"]') !== null) return;
      const wanted = act(event);
      if (wanted === null) return;
      event.preventDefault();
      wanted();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [store, saveNow, mayEdit, mayRun, start]);
}

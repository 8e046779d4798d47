import { useState } from 'react';
import { useEditor, useEditorStore } from '../editor-context.tsx';
import type { DockTab } from '../model/store.ts';

/** Whether the dock is open: without a problem, _Problems_ leaves its height to the canvas until the user opens it. */
export function useGivingDock(tab: DockTab, problems: number, wide: boolean) {
  const store = useEditorStore();
  const wanted = useEditor((state) => state.dockOpen);
  // Wide windows show it beside the problems.
  const runShown = useEditor((state) => state.run !== null) && wide;
  const isEmpty = tab === 'problems' && problems === 0 && !runShown;
  const [asked, setAsked] = useState(false);
  if (asked && !isEmpty) setAsked(false);
  const setOpen = (next: DockTab | null) => {
    setAsked(next !== null);
    if (next === null) store.closeDock();
    else store.openDock(next);
  };
  return { isOpen: wanted && (!isEmpty || asked), setOpen };
}

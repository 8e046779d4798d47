import { useCallback, useEffect, useState } from 'react';
import { useEditorStore } from '../editor-context.tsx';
import type { DockTab } from '../model/store.ts';

/** The open part and the height of each part, stored in this browser. */
interface Kept {
  tab: DockTab;
  open: boolean;
  /** Pixels, by part and by width of the window. */
  heights: Record<string, number>;
}

const KEY = 'sluice.editor.dock';
export const TABS = ['problems', 'test', 'runs', 'changes'] as const satisfies readonly DockTab[];
const HEIGHT_MIN = 120;
export const STEP_PX = 20;
/** Share of the window: the canvas keeps the rest. */
const SHARE_MAX = 0.7;

function read(): Partial<Kept> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

function write(change: Partial<Kept>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), ...change }));
  } catch {
    // Without storage in the browser, the default sizes are used next time.
  }
}

const heightMax = () => Math.round(window.innerHeight * SHARE_MAX);

/** Problems are short rows; a form, a waterfall and a list of revisions need more room. */
function usualHeight(tab: DockTab, wide: boolean): number {
  if (tab === 'problems') return wide ? 240 : 178;
  return wide ? 360 : 300;
}

export function useDockHeight(tab: DockTab, wide: boolean) {
  const name = `${tab}${wide ? '.wide' : ''}`;
  const [heights, setHeights] = useState(() => read().heights ?? {});
  const wished = heights[name] ?? usualHeight(tab, wide);
  const height = Math.min(heightMax(), Math.max(HEIGHT_MIN, wished));
  const resize = useCallback(
    (wanted: number) => {
      const pixels = Math.round(Math.min(heightMax(), Math.max(HEIGHT_MIN, wanted)));
      setHeights((before) => {
        const after = { ...before, [name]: pixels };
        write({ heights: after });
        return after;
      });
    },
    [name],
  );
  return { height, resize };
}

/** Restores the last open part, and stores changes. */
export function useKeptTab(): void {
  const store = useEditorStore();
  useEffect(() => {
    const kept = read();
    if (kept.tab !== undefined && TABS.includes(kept.tab)) store.restoreDock(kept.tab, kept.open === true);
    let seen = store.snapshot();
    return store.subscribe(() => {
      const { dock: tab, dockOpen: open } = store.snapshot();
      if (tab !== seen.dock || open !== seen.dockOpen) write({ tab, open });
      seen = store.snapshot();
    });
  }, [store]);
}

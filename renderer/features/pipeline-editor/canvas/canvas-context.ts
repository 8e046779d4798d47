import { createContext, useContext, useSyncExternalStore } from 'react';
import type { CanvasState, CanvasStore } from './canvas-store.ts';

export const CanvasContext = createContext<CanvasStore | null>(null);

export function useCanvasStore(): CanvasStore {
  const canvas = useContext(CanvasContext);
  if (canvas === null) throw new Error('useCanvas must be used inside CanvasProvider');
  return canvas;
}

/** Re-renders when the result of `selector` changes; it must not create new objects. */
export function useCanvas<T>(selector: (state: CanvasState) => T): T {
  const canvas = useCanvasStore();
  return useSyncExternalStore(canvas.subscribe, () => selector(canvas.snapshot()));
}

import { ReactFlowProvider } from '@xyflow/react';
import { createContext, useContext, useState, useSyncExternalStore, type ReactNode } from 'react';
import { CanvasStore, type CanvasState } from './canvas-store.ts';

const Context = createContext<CanvasStore | null>(null);

/** Round palette and canvas: what is dragged from one lands on the other. */
export function CanvasProvider({ children }: { children: ReactNode }) {
  const [canvas] = useState(() => new CanvasStore());
  return (
    <Context.Provider value={canvas}>
      <ReactFlowProvider>{children}</ReactFlowProvider>
    </Context.Provider>
  );
}

export function useCanvasStore(): CanvasStore {
  const canvas = useContext(Context);
  if (canvas === null) throw new Error('a part of the canvas stands outside of it');
  return canvas;
}

/** Re-renders when what `selector` picks changes; it must not make new objects. */
export function useCanvas<T>(selector: (state: CanvasState) => T): T {
  const canvas = useCanvasStore();
  return useSyncExternalStore(canvas.subscribe, () => selector(canvas.snapshot()));
}

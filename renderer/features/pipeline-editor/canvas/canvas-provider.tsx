import { ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditorContext } from '../editor-context.tsx';
import { CanvasContext, useCanvasStore } from './canvas-context.ts';
import { CanvasStore } from './canvas-store.ts';
import { DeskContext, type Desk } from './desk.ts';

/** Round palette and canvas: what is dragged from one lands on the other. */
export function CanvasProvider({ children }: { children: ReactNode }) {
  const [canvas] = useState(() => new CanvasStore());
  return (
    <CanvasContext.Provider value={canvas}>
      <ReactFlowProvider>
        <DeskProvider>{children}</DeskProvider>
      </ReactFlowProvider>
    </CanvasContext.Provider>
  );
}

/** Made once: React Flow's own hook listens to every move of the view, which hundreds of ports must not. */
function DeskProvider({ children }: { children: ReactNode }) {
  const { store, kinds, mayEdit, running } = useEditorContext();
  const canvas = useCanvasStore();
  const flow = useReactFlow();
  const { t } = useTranslation();
  const desk = useMemo<Desk>(
    () => ({ store, canvas, flow, kinds, t, mayEdit, running }),
    [store, canvas, flow, kinds, t, mayEdit, running],
  );
  return <DeskContext.Provider value={desk}>{children}</DeskContext.Provider>;
}

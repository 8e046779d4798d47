import { ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useKindText } from '#ui/kind-text/use-kind-text.ts';
import { useEditorContext } from '../editor-context.tsx';
import type { Kinds } from '../model/ports.ts';
import { CanvasContext, useCanvasStore } from './canvas-context.ts';
import { CanvasStore } from './canvas-store.ts';
import { EditorActionsContext, type EditorActions } from './editor-actions.ts';

/** Contains palette and canvas, for dragging from one to the other. */
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

/** Created once: React Flow's own hook listens to every move of the view, which hundreds of ports must not do. */
function DeskProvider({ children }: { children: ReactNode }) {
  const { store, mayEdit, running } = useEditorContext();
  const kinds = useToldKinds();
  const canvas = useCanvasStore();
  const flow = useReactFlow();
  const { t } = useTranslation();
  const desk = useMemo<EditorActions>(
    () => ({ store, canvas, flow, kinds, t, mayEdit, running }),
    [store, canvas, flow, kinds, t, mayEdit, running],
  );
  return <EditorActionsContext.Provider value={desk}>{children}</EditorActionsContext.Provider>;
}

/** The kinds with title and summary in the language of the UI; the same object until one of them changes. */
function useToldKinds(): Kinds {
  const { kinds } = useEditorContext();
  const kindText = useKindText();
  const titles = JSON.stringify([...kinds.values()].map(({ title, summary }) => [kindText(title), kindText(summary)]));
  return useMemo(() => {
    const words: unknown = JSON.parse(titles);
    const pairs = Array.isArray(words) ? words : [];
    return new Map(
      [...kinds.values()].map((kind, index) => {
        const [title, summary]: string[] = pairs[index] ?? [];
        return [kind.id, { ...kind, title: title ?? kind.title, summary: summary ?? kind.summary }];
      }),
    );
  }, [kinds, titles]);
}

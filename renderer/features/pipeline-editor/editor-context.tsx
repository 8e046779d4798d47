import { createContext, useContext, useSyncExternalStore } from 'react';
import type { CheckResult, PipelineDefinition } from '#common/model/pipeline.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import type { PipelineTraffic } from '#common/model/traffic.ts';
import type { Kinds } from './model/ports.ts';
import type { EditorState, EditorStore } from './model/store.ts';
import type { SaveOptions, Saving } from './use-autosave.ts';

/** The shared state of all parts of the editor. */
export interface EditorContext {
  readonly store: EditorStore;
  /** As last read: state and running revision are the server's, the draft is the store's. */
  readonly record: PipelineRecord;
  readonly kinds: Kinds;
  /** The running revision's definition; null when it does not run. */
  readonly running: PipelineDefinition | null;
  readonly saving: Saving;
  /** Saves now. Resolves with the revision when what is drawn is saved; rejects with what refused it. */
  readonly saveNow: (options?: SaveOptions) => Promise<number>;
  /** A revision that was read (a restored one, somebody else's) is drawn on from here. Undo ends there. */
  readonly take: (revision: number, draft: PipelineDefinition) => void;
  /** Null until the first check is back. */
  readonly check: CheckResult | null;
  /** Null: not known. */
  readonly traffic: PipelineTraffic | null;
  readonly mayEdit: boolean;
  readonly mayRun: boolean;
}

const Context = createContext<EditorContext | null>(null);
export const EditorProvider = Context.Provider;

export function useEditorContext(): EditorContext {
  const context = useContext(Context);
  if (context === null) throw new Error('useEditorContext must be used inside the editor');
  return context;
}

export const useEditorStore = (): EditorStore => useEditorContext().store;

/** Re-renders when what `selector` picks is another object than before; it must not make new ones. */
export function useEditor<T>(selector: (state: EditorState) => T): T {
  const store = useEditorStore();
  return useSyncExternalStore(store.subscribe, () => selector(store.snapshot()));
}

/** The definition on the canvas: the draft, or the running revision. */
export function useShownDefinition(): PipelineDefinition {
  const { running } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const showsRunning = useEditor((state) => state.showsRunning);
  return showsRunning && running !== null ? running : draft;
}

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
  /** As last loaded: state and running revision come from the server, the draft from the store. */
  readonly record: PipelineRecord;
  readonly kinds: Kinds;
  /** The definition of the running revision; null if it is not running. */
  readonly running: PipelineDefinition | null;
  readonly saving: Saving;
  /** Saves now. Resolves with the revision when the draft is saved; rejects with the refusal. */
  readonly saveNow: (options?: SaveOptions) => Promise<number>;
  /** Continues with a loaded revision (a restored one, or that of another user). Clears the undo history. */
  readonly take: (revision: number, draft: PipelineDefinition) => void;
  /** Null until the first check has returned. */
  readonly check: CheckResult | null;
  /** Null: unknown. */
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

/** Re-renders when the result of `selector` is a different object; it must not create new ones. */
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

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { definitionOf, useSaveDraft } from '#api/pipeline-queries.ts';
import { isApiError, type ApiError } from '#api/problem.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import type { Draft } from './model/draft.ts';
import type { EditorStore } from './model/store.ts';

/** How the draft on the screen stands to the one on disk. */
export type Saving =
  | { kind: 'saved'; revision: number; at: string }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  /** Somebody else saved a newer revision. */
  | { kind: 'conflict' }
  /** Nothing answered; tried again by itself. */
  | { kind: 'away' }
  /** The draft as it is cannot be saved. */
  | { kind: 'refused'; error: ApiError };

/** After the last change, milliseconds. */
const QUIET_MS = 800;
const AGAIN_MS = 3_000;

/** Saves every change of the store's draft after a moment of quiet, one save at a time, always over what was read. */
export function useAutosave(store: EditorStore, record: PipelineRecord, mayEdit: boolean) {
  const { mutateAsync: save } = useSaveDraft();
  const [saving, setSaving] = useState<Saving>({ kind: 'saved', revision: record.revision, at: record.updatedAt });
  const { project, id } = record;
  const place = useMemo(() => ({ project, id }), [project, id]);
  /** The draft that is on disk, and its revision. */
  const base = useRef({ draft: store.snapshot().draft, revision: record.revision });
  const underWay = useRef<Promise<void> | null>(null);

  const saveOnce = useCallback(
    async (passing: boolean, overNewer: boolean): Promise<void> => {
      const { draft } = store.snapshot();
      if (draft === base.current.draft && passing) return;
      setSaving({ kind: 'saving' });
      try {
        const revision = overNewer ? null : base.current.revision;
        const saved = await save({ ...place, definition: draft, revision, passing });
        const shown: Draft = definitionOf(saved);
        base.current = { draft: store.snapshot().draft === draft ? shown : draft, revision: saved.revision };
        store.adopt(draft, shown);
        setSaving({ kind: 'saved', revision: saved.revision, at: saved.updatedAt });
      } catch (error) {
        if (!isApiError(error)) throw error;
        setSaving(failed(error));
        throw error;
      }
    },
    [store, save, place],
  );

  /** After the one that is under way, so that each is over the revision of the one before. */
  const inTurn = useCallback(
    (passing: boolean, overNewer = false): Promise<void> => {
      const before = underWay.current ?? Promise.resolve();
      const turn = before.catch(() => undefined).then(() => saveOnce(passing, overNewer));
      underWay.current = turn;
      return turn;
    },
    [saveOnce],
  );

  useEffect(() => {
    if (!mayEdit) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => void inTurn(true).catch(again), ms);
    };
    const again = (error: unknown) => isApiError(error, 'unreachable') && wait(AGAIN_MS);
    let seen = store.snapshot().draft;
    const stop = store.subscribe(() => {
      const { draft } = store.snapshot();
      if (draft === seen) return;
      seen = draft;
      if (draft === base.current.draft) return;
      setSaving((now) => (now.kind === 'conflict' ? now : { kind: 'unsaved' }));
      wait(QUIET_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
      // Leaving the page does not lose the last edit.
      if (store.snapshot().draft !== base.current.draft) void inTurn(true).catch(() => undefined);
    };
  }, [store, mayEdit, inTurn]);

  /** `take` makes a revision that was read the base of the next save. */
  const take = useCallback(
    (revision: number, draft: Draft) => {
      base.current = { draft, revision };
      store.replace(draft);
      setSaving({ kind: 'saved', revision, at: new Date().toISOString() });
    },
    [store],
  );

  return {
    saving,
    saveNow: useCallback((options: { overNewer?: boolean } = {}) => inTurn(false, options.overNewer), [inTurn]),
    take,
  };
}

function failed(error: ApiError): Saving {
  if (error.code === 'revision_changed') return { kind: 'conflict' };
  if (error.code === 'unreachable') return { kind: 'away' };
  return { kind: 'refused', error };
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
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

export interface SaveOptions {
  /** Over whatever somebody else saved meanwhile. */
  overNewer?: boolean;
  /** It need only be on disk: the next passing save may take its place. */
  passing?: boolean;
}

/** The draft that is on disk. */
interface Base {
  draft: Draft;
  revision: number;
  at: string;
  /** Meant to stay: saved on purpose, or not by this page. */
  kept: boolean;
}

/** After the last change, milliseconds. */
const QUIET_MS = 800;
const AGAIN_MS = 3_000;

/** Saves every change of the store's draft after a moment of quiet, one save at a time, always over what was read. */
export function useAutosave(store: EditorStore, record: PipelineRecord, mayEdit: boolean) {
  const client = useQueryClient();
  const { mutateAsync: save } = useSaveDraft();
  const [saving, setSaving] = useState<Saving>({ kind: 'saved', revision: record.revision, at: record.updatedAt });
  const { project, id } = record;
  const place = useMemo(() => ({ project, id }), [project, id]);
  const base = useRef<Base>({
    draft: store.snapshot().draft,
    revision: record.revision,
    at: record.updatedAt,
    kept: true,
  });
  /** Saves that have been begun and are not over. */
  const open = useRef(0);
  const last = useRef<Promise<number>>(Promise.resolve(record.revision));
  /** The newest revision that was read, whoever saved it. */
  const newest = useRef(record.revision);
  const conflict = useRef(false);

  const settle = useCallback((state: Saving) => {
    conflict.current = state.kind === 'conflict';
    setSaving(state);
  }, []);
  const settleSaved = useCallback(() => {
    const { revision, at } = base.current;
    settle(newest.current > revision ? { kind: 'conflict' } : { kind: 'saved', revision, at });
  }, [settle]);

  const saveOnce = useCallback(
    async ({ overNewer = false, passing = false }: SaveOptions): Promise<number> => {
      const { draft } = store.snapshot();
      const { kept, revision } = base.current;
      if (draft === base.current.draft && (passing || kept) && !overNewer) return revision;
      setSaving({ kind: 'saving' });
      try {
        const saved = await save({ ...place, definition: draft, revision: overNewer ? null : revision, passing });
        const shown: Draft = definitionOf(saved);
        const isDrawn = store.snapshot().draft === draft;
        base.current = {
          draft: isDrawn ? shown : draft,
          revision: saved.revision,
          at: saved.updatedAt,
          kept: !passing,
        };
        if (overNewer) newest.current = saved.revision;
        store.adopt(draft, shown);
        settleSaved();
        return saved.revision;
      } catch (error) {
        if (!isApiError(error)) throw error;
        settle(failed(error));
        if (isApiError(error, 'revision_changed')) void client.invalidateQueries({ queryKey: ['pipeline'] });
        throw error;
      }
    },
    [client, store, save, place, settle, settleSaved],
  );

  /** After the one that is under way, so that each is over the revision of the one before. */
  const inTurn = useCallback(
    (options: SaveOptions): Promise<number> => {
      open.current++;
      const turn = last.current
        .catch(() => undefined)
        .then(() => saveOnce(options))
        .finally(() => open.current--);
      last.current = turn;
      return turn;
    },
    [saveOnce],
  );

  useEffect(() => {
    if (!mayEdit) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isSaved = () => store.snapshot().draft === base.current.draft;
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => void inTurn({ passing: true }).catch(again), ms);
    };
    const again = (error: unknown) => isApiError(error, 'unreachable') && wait(AGAIN_MS);
    let seen = store.snapshot().draft;
    const stop = store.subscribe(() => {
      const { draft } = store.snapshot();
      if (draft === seen) return;
      seen = draft;
      clearTimeout(timer);
      // Nothing is saved over what somebody else saved until a person has chosen.
      if (conflict.current) return;
      // Undone while its save is under way: what is on disk then is not what is drawn.
      if (isSaved() && open.current === 0) return settleSaved();
      setSaving({ kind: 'unsaved' });
      wait(QUIET_MS);
    });
    const ask = (event: BeforeUnloadEvent) => !isSaved() && event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => {
      stop();
      clearTimeout(timer);
      window.removeEventListener('beforeunload', ask);
      // Leaving the page does not lose the last edit.
      if (!isSaved() && !conflict.current) void inTurn({ passing: true }).catch(() => undefined);
    };
  }, [store, mayEdit, inTurn, settleSaved]);

  /** `take` makes a revision that was read the base of the next save. */
  const take = useCallback(
    (revision: number, draft: Draft, at = new Date().toISOString()) => {
      base.current = { draft, revision, at, kept: true };
      newest.current = Math.max(newest.current, revision);
      conflict.current = false;
      store.replace(draft);
      settle({ kind: 'saved', revision, at });
    },
    [store, settle],
  );

  /** Somebody else's save comes with the record; one's own may come so too, before it is answered. */
  useEffect(() => {
    newest.current = record.revision;
    // In a turn of its own: what was read together with the answer to a save is settled by then.
    const timer = setTimeout(() => {
      if (open.current > 0 || record.revision <= base.current.revision) return;
      if (mayEdit) settle({ kind: 'conflict' });
      else take(record.revision, definitionOf(record), record.updatedAt);
    });
    return () => clearTimeout(timer);
  }, [record, mayEdit, settle, take]);

  return { saving, saveNow: useCallback((options: SaveOptions = {}) => inTurn(options), [inTurn]), take };
}

function failed(error: ApiError): Saving {
  if (error.code === 'revision_changed') return { kind: 'conflict' };
  if (error.code === 'unreachable') return { kind: 'away' };
  return { kind: 'refused', error };
}

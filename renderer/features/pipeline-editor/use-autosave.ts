import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { definitionOf, useSaveDraft } from '#api/pipeline-queries.ts';
import { isApiError, type ApiError } from '#api/problem.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import { guardUnsaved, trackUnsaved } from '#ui/unsaved.ts';
import type { Draft } from './model/draft.ts';
import { UnsavedDrafts, type UnsavedDraft } from './model/unsaved-drafts.ts';
import { withoutLostSecrets } from './model/secrets.ts';
import type { EditorStore } from './model/store.ts';

/** The relation between the displayed draft and the saved one. */
export type Saving =
  | { kind: 'saved'; revision: number; at: string }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  /** Another user saved a newer revision. */
  | { kind: 'conflict' }
  /** No response; retried automatically. */
  | { kind: 'away' }
  /** The draft cannot be saved in its current state. */
  | { kind: 'refused'; error: ApiError };

export interface SaveOptions {
  /** Overwrites the revision that another user saved meanwhile. */
  overNewer?: boolean;
  /** Only a backup: the next automatic save may replace it. */
  passing?: boolean;
}

/** The draft that is on disk. */
interface Base {
  draft: Draft;
  /** The same as returned by the server: which secrets exist. */
  stored: Draft;
  revision: number;
  at: string;
  /** A permanent revision: saved on purpose, or not by this page. */
  kept: boolean;
}

/** After the last change, milliseconds. */
const QUIET_MS = 800;
const AGAIN_MS = 3_000;

const leftDrafts = new UnsavedDrafts<Base>();
const hasLeftDrafts = () => !leftDrafts.isEmpty();
const placeOf = ({ project, id }: Pick<PipelineRecord, 'project' | 'id'>) => `${project}/${id}`;

export type Left = UnsavedDraft<Base>;

/** The unsaved draft of this user from an earlier visit. */
export function leftDraftOf(record: PipelineRecord, user: string): Left | null {
  return leftDrafts.of(placeOf(record), user);
}

/** The newest revision that was loaded, saved by any user. */
interface Newest {
  revision: number;
  stored: Draft;
  at: string;
  by: string;
}

interface Drawing {
  store: EditorStore;
  record: PipelineRecord;
  mayEdit: boolean;
  user: string;
  /** The current draft, if it differs from the record. */
  left: Left | null;
  /** The revision of another user is shown now, because nothing was changed on this page. */
  onTaken: (newest: { revision: number; by: string }) => void;
}

/**
 * Saves every change of the store's draft after a short pause, one save at a time, always based on the loaded revision.
 */
export function useAutosave({ store, record, mayEdit, user, left, onTaken }: Drawing) {
  const client = useQueryClient();
  const { mutateAsync: save } = useSaveDraft();
  const [saving, setSaving] = useState<Saving>(
    left === null ? { kind: 'saved', revision: record.revision, at: record.updatedAt } : { kind: 'unsaved' },
  );
  const { project, id } = record;
  const place = useMemo(() => ({ project, id }), [project, id]);
  const base = useRef<Base>(left?.base ?? baseOf(store.snapshot().draft, record));
  /** Saves in progress. */
  const open = useRef(0);
  const last = useRef<Promise<number>>(Promise.resolve(record.revision));
  const newest = useRef<Newest>(newestOf(record));
  const conflict = useRef(false);

  const settle = useCallback((state: Saving) => {
    conflict.current = state.kind === 'conflict';
    setSaving(state);
  }, []);

  /** `take` makes a loaded revision the base of the next save. */
  const take = useCallback(
    (revision: number, draft: Draft, at = new Date().toISOString()) => {
      base.current = { draft, stored: draft, revision, at, kept: true };
      if (revision > newest.current.revision) newest.current = { ...newest.current, revision, stored: draft, at };
      store.replace(draft);
      settle({ kind: 'saved', revision, at });
    },
    [store, settle],
  );

  /** A page without changes has nothing to lose, so it shows the newer revision; a changed one asks. */
  const settleSaved = useCallback(() => {
    const { draft, revision, at } = base.current;
    const { revision: newer, stored, at: newerAt, by } = newest.current;
    if (newer <= revision) return settle({ kind: 'saved', revision, at });
    if (mayEdit && store.snapshot().draft !== draft) return settle({ kind: 'conflict' });
    take(newer, stored, newerAt);
    if (mayEdit) onTaken({ revision: newer, by });
  }, [store, mayEdit, settle, take, onTaken]);

  const saveOnce = useCallback(
    async ({ overNewer = false, passing = false }: SaveOptions): Promise<number> => {
      const { draft } = store.snapshot();
      const { kept, revision } = base.current;
      if (draft === base.current.draft && (passing || kept) && !overNewer) {
        settleSaved();
        return revision;
      }
      setSaving({ kind: 'saving' });
      try {
        const over = overNewer ? newest.current : base.current;
        const definition = withoutLostSecrets(draft, over.stored);
        const sent = { ...place, definition, revision: overNewer ? null : revision };
        const saved = await save({ ...sent, passing }).catch((error: unknown) => {
          // A draft with errors is saved automatically as one that cannot be started.
          if (passing || !isApiError(error, 'invalid')) throw error;
          return save({ ...sent, passing: true });
        });
        const shown: Draft = definitionOf(saved);
        const isDrawn = store.snapshot().draft === draft;
        base.current = { ...baseOf(shown, saved), draft: isDrawn ? shown : draft, kept: !passing };
        if (overNewer) newest.current = newestOf(saved);
        leftDrafts.forget(placeOf(place));
        store.adopt(draft, shown);
        settleSaved();
        return saved.revision;
      } catch (error) {
        if (!isApiError(error)) throw error;
        // The conflict names the other user, who is known once the newer revision is loaded.
        if (isApiError(error, 'revision_changed')) await client.invalidateQueries({ queryKey: ['pipeline'] });
        settle(failed(error));
        throw error;
      }
    },
    [client, store, save, place, settle, settleSaved],
  );

  /** After the save in progress, so that each is based on the revision of the previous one. */
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
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        // A refusal is shown by the saving state itself.
        if (!conflict.current) inTurn({ passing: true }).catch(() => undefined);
      }, QUIET_MS);
    };
    const leave = () => {
      const keep = () => {
        leftDrafts.keep(placeOf(place), { user, draft: store.snapshot().draft, base: base.current });
        trackUnsaved(hasLeftDrafts);
      };
      // Nothing of another user is overwritten without a confirmation, and nothing is discarded either.
      if (conflict.current) return keep();
      inTurn({ passing: true }).catch((error: unknown) => {
        // The pipeline may have been deleted.
        if (!isApiError(error, 'unknown')) keep();
      });
    };
    leftDrafts.forget(placeOf(place));
    if (!isSaved()) wait();
    let seen = store.snapshot().draft;
    const stop = store.subscribe(() => {
      const { draft } = store.snapshot();
      if (draft === seen) return;
      seen = draft;
      clearTimeout(timer);
      // Nothing of another user is overwritten until the user has chosen.
      if (conflict.current) return;
      // An undo during the save: the saved draft differs from the displayed one.
      if (isSaved() && open.current === 0) return settleSaved();
      setSaving({ kind: 'unsaved' });
      wait();
    });
    const unguard = guardUnsaved(() => !isSaved());
    return () => {
      stop();
      clearTimeout(timer);
      unguard();
      if (!isSaved()) leave();
    };
  }, [store, mayEdit, user, place, inTurn, settleSaved]);

  useEffect(() => {
    if (saving.kind !== 'away') return undefined;
    const timer = setTimeout(() => void inTurn({ passing: true }).catch(() => undefined), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [saving, inTurn]);

  /** The save of another user arrives with the record; one's own may arrive too, before its response. */
  useEffect(() => {
    newest.current = newestOf(record);
    // In a separate turn: data that was loaded together with the response to a save is processed by then.
    const timer = setTimeout(() => {
      if (open.current > 0 || record.revision <= base.current.revision) return;
      settleSaved();
    });
    return () => clearTimeout(timer);
  }, [record, settleSaved]);

  return { saving, saveNow: useCallback((options: SaveOptions = {}) => inTurn(options), [inTurn]), take };
}

function baseOf(draft: Draft, record: PipelineRecord): Base {
  return { draft, stored: definitionOf(record), revision: record.revision, at: record.updatedAt, kept: true };
}

function newestOf(record: PipelineRecord): Newest {
  return { revision: record.revision, stored: definitionOf(record), at: record.updatedAt, by: record.updatedBy };
}

function failed(error: ApiError): Saving {
  if (error.code === 'revision_changed') return { kind: 'conflict' };
  if (error.code === 'unreachable') return { kind: 'away' };
  return { kind: 'refused', error };
}

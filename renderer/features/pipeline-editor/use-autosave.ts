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

/** The relation between the draft on the screen and the one on disk. */
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
  /** The same as the server shows it: which secrets there are. */
  stored: Draft;
  revision: number;
  at: string;
  /** Meant to stay: saved on purpose, or not by this page. */
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

/** The newest revision that was read, saved by any user. */
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
  /** The present draft, if it differs from the record. */
  left: Left | null;
  /** Somebody else's revision is shown now, because nothing was changed on this page. */
  onTaken: (newest: { revision: number; by: string }) => void;
}

/** Saves every change of the store's draft after a moment of quiet, one save at a time, always over what was read. */
export function useAutosave({ store, record, mayEdit, user, left, onTaken }: Drawing) {
  const client = useQueryClient();
  const { mutateAsync: save } = useSaveDraft();
  const [saving, setSaving] = useState<Saving>(
    left === null ? { kind: 'saved', revision: record.revision, at: record.updatedAt } : { kind: 'unsaved' },
  );
  const { project, id } = record;
  const place = useMemo(() => ({ project, id }), [project, id]);
  const base = useRef<Base>(left?.base ?? baseOf(store.snapshot().draft, record));
  /** Saves that have been begun and are not over. */
  const open = useRef(0);
  const last = useRef<Promise<number>>(Promise.resolve(record.revision));
  const newest = useRef<Newest>(newestOf(record));
  const conflict = useRef(false);

  const settle = useCallback((state: Saving) => {
    conflict.current = state.kind === 'conflict';
    setSaving(state);
  }, []);

  /** `take` makes a revision that was read the base of the next save. */
  const take = useCallback(
    (revision: number, draft: Draft, at = new Date().toISOString()) => {
      base.current = { draft, stored: draft, revision, at, kept: true };
      if (revision > newest.current.revision) newest.current = { ...newest.current, revision, stored: draft, at };
      store.replace(draft);
      settle({ kind: 'saved', revision, at });
    },
    [store, settle],
  );

  /** A page without changes of its own has nothing to lose, so it shows the newer revision; a changed one asks. */
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
          // A draft with errors is saved as a passing draft, which cannot be started.
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
      // Nothing is saved over somebody else's unasked, and nothing is thrown away either.
      if (conflict.current) return keep();
      inTurn({ passing: true }).catch((error: unknown) => {
        // The pipeline may be gone.
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
      // Nothing is saved over what somebody else saved until the user has chosen.
      if (conflict.current) return;
      // Undone while its save is under way: what is on disk then is not what is drawn.
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

  /** Somebody else's save comes with the record; one's own may come so too, before it is answered. */
  useEffect(() => {
    newest.current = newestOf(record);
    // In a turn of its own: what was read together with the answer to a save is settled by then.
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

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react';
import { SESSION_KEY, useSession, type SessionState } from '../api/session.ts';
import { trackUnsaved } from './unsaved.ts';

/**
 * Unsaved input of an editor when the session ended, kept in memory until the same user returns to it in this window.
 * Nobody else can see it.
 */
const kept = new Map<string, unknown>();
const hasKept = () => kept.size > 0;

/** State as of `useState` that outlives the end of the session; `place` identifies the editor. */
export function useKeptDraft<Draft>(
  place: string,
  first: () => Draft,
): [draft: Draft, change: Dispatch<SetStateAction<Draft>>] {
  const client = useQueryClient();
  const session = useSession().data;
  const [key] = useState(`${session?.kind === 'in' ? session.user.id : ''} ${place}`);
  const [draft, setDraft] = useState(() => (kept.has(key) ? (kept.get(key) as Draft) : first()));
  const newest = useRef(draft);
  useEffect(() => {
    newest.current = draft;
  }, [draft]);
  useEffect(() => {
    kept.delete(key);
    return () => {
      if (client.getQueryData<SessionState>(SESSION_KEY)?.kind !== 'out') return;
      kept.set(key, newest.current);
      trackUnsaved(hasKept);
    };
  }, [client, key]);
  return [draft, setDraft];
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react';
import { SESSION_KEY, useSession, type SessionState } from '../api/session.ts';
import { tellUnsaved } from './unsaved.ts';

/**
 * What stood unsaved in an editor when the session was over, kept in memory until the same person comes back to it in
 * this window. Nobody else gets to see it.
 */
const kept = new Map<string, unknown>();
const hasKept = () => kept.size > 0;

/** State as of `useState` that outlives the end of the session; `place` tells the editor from every other one. */
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
      tellUnsaved(hasKept);
    };
  }, [client, key]);
  return [draft, setDraft];
}

import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** The selection is part of the address, so that it can be shared. An empty value removes its name. */
export function useAddress(): { read: (name: string) => string; change: (patch: Record<string, string>) => void } {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (patch: Record<string, string>) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(patch)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return { read: (name) => search.get(name) ?? '', change };
}

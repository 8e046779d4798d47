import { useSearchParams } from 'wouter';
import type { EventFilter } from '#api/egress-queries.ts';

/** The selection of events is part of the address, so that it can be shared: `?state=queued&target=…`. */
export function useEventAddress(): { filter: EventFilter; change: (filter: Partial<EventFilter>) => void } {
  const [search, setSearch] = useSearchParams();
  const filter: EventFilter = {
    state: search.get('state') === 'queued' ? 'queued' : 'dead',
    target: search.get('target') ?? '',
  };
  const change = (patch: Partial<EventFilter>) => {
    const { state, target } = { ...filter, ...patch };
    const next = { ...(state === 'queued' && { state }), ...(target !== '' && { target }) };
    setSearch(next, { replace: true });
  };
  return { filter, change };
}

import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { call } from './client.ts';

/** How often a window reports that it still has the pipeline open; Sluice removes it after 30 s. */
const HEARTBEAT_MS = 5_000;
const KEY = 'sluice.window';
/** Of this tab: a page that is loaded again is the same window. */
const window = windowId();

function windowId(): string {
  const id = sessionStorage.getItem(KEY) ?? crypto.randomUUID();
  sessionStorage.setItem(KEY, id);
  return id;
}

/** Users who have the pipeline open in other windows; undefined until the first response. They see this window too. */
export function useOthersHere(project: string, pipeline: string) {
  const { data } = useQuery({
    queryKey: ['presence', project, pipeline],
    queryFn: ({ signal }) =>
      call('PUT /projects/:project/pipelines/:pipeline/windows/:window', {
        path: { project, pipeline, window },
        signal,
      }),
    refetchInterval: HEARTBEAT_MS,
    // A draft is also open in a window behind others.
    refetchIntervalInBackground: true,
    gcTime: 0,
  });
  useEffect(
    () => () => {
      const left = call('DELETE /projects/:project/pipelines/:pipeline/windows/:window', {
        path: { project, pipeline, window },
      });
      // The window ends by itself without this call.
      left.catch(() => undefined);
    },
    [project, pipeline],
  );
  return data?.items;
}

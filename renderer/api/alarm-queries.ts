import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from './client.ts';

/** Actions of users on alarms; each needs `run_pipelines`. */
function useAlarmAct<Input>(act: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['status'] }),
        client.invalidateQueries({ queryKey: ['alarm-history'] }),
      ]),
  });
}

/** Marks the alarm as seen. */
export const useAcknowledgeAlarm = () =>
  useAlarmAct(({ code, note = null }: { code: string; note?: string | null }) =>
    call('POST /alarms/:alarm/acknowledge', { path: { alarm: code }, body: { note } }),
  );

export const useShelveAlarm = () =>
  useAlarmAct(({ code, until, note }: { code: string; until: Date; note: string }) =>
    call('POST /alarms/:alarm/shelve', { path: { alarm: code }, body: { until: until.toISOString(), note } }),
  );

export const useUnshelveAlarm = () =>
  useAlarmAct((code: string) => call('POST /alarms/:alarm/unshelve', { path: { alarm: code } }));

const HISTORY_MS = 5_000;

/** Alarms in pages, the newest first. */
export function useAlarmHistory() {
  return useInfiniteQuery({
    queryKey: ['alarm-history'],
    queryFn: ({ pageParam, signal }) => call('GET /alarms/history', { query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: HISTORY_MS,
  });
}

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { EgressBuffer, EgressEdit, EgressEventState, EgressTarget } from '#common/model/egress.ts';
import type { TrafficRange } from '#common/model/traffic.ts';
import { call, everyItem, pathOf } from './client.ts';
import { useRenewing } from './use-renewing.ts';

/** Store and forward as hooks. Waiting events are polled every two seconds, and every second during a rehearsal. */
const LIVE_MS = 2_000;
const REHEARSAL_MS = 1_000;
const LIVE_PAGES_MAX = 3;
const EVENTS_PAGE = 50;
/** The shortest step of a backlog. */
const BACKLOG_MS = 10_000;

const KEY = ['egress'];

export interface EgressView {
  targets: EgressTarget[];
  buffer: EgressBuffer;
}

async function readEgress(signal: AbortSignal): Promise<EgressView> {
  const [targets, buffer] = await Promise.all([
    everyItem('GET /egress/targets', { signal }),
    call('GET /egress/buffer', { signal }),
  ]);
  return { targets, buffer };
}

const isRehearsed = (target: EgressTarget) => target.rehearsal !== null && target.rehearsal.state !== 'done';

export function useEgress() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => readEgress(signal),
    refetchInterval: (query) => (query.state.data?.targets.some(isRehearsed) ? REHEARSAL_MS : LIVE_MS),
  });
}

/** The backlog of a target over time, from the service; `target`: scheme, host and port. */
export function useBacklog(target: string, range: TrafficRange) {
  return useQuery({
    queryKey: ['egress-backlog', target, range],
    queryFn: ({ signal }) => call('GET /egress/backlog', { query: { target, range }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: BACKLOG_MS,
  });
}

/** Queries that any change may concern. */
const RENEWED = ['egress', 'egress-events', 'egress-event', 'status'];

export type TargetAct = 'pause' | 'resume' | 'try' | 'rehearse';

/** Returns the updated target. Needs `run_pipelines`; `rehearse` needs `access_settings`. */
export function useTargetAct() {
  return useRenewing(
    RENEWED,
    ({ id, act }: { id: string; act: TargetAct }) =>
      call(`POST /egress/targets/:target/${act}`, { path: { target: id } }),
    { awaited: false },
  );
}

/** Returns a target's dead letters to its queue, this many at a time; `left` is the number of remaining ones. */
export function useRetryDead() {
  return useRenewing(
    RENEWED,
    (id: string) => call('POST /egress/targets/:target/retry-dead', { path: { target: id } }),
    { awaited: false },
  );
}

// ── Many events ──

/** Of one act; the rest needs another one. */
export const MANY_ACT_MAX = 10_000;
/** Events of one call, so that the progress is seen. */
const MANY_STEP = 100;

export interface ManyAct {
  act: 'retry' | 'discard';
  filter: EventFilter;
  /** At most `MANY_ACT_MAX`. */
  count: number;
}

export interface ManyProgress {
  done: number;
  gone: number;
  refused: { event: string; reason: string }[];
}

/** `onProgress` is called after each call; `isStopped` before each. Ends after the named number of events. */
export function useManyAct(onProgress: (progress: ManyProgress) => void, isStopped: () => boolean) {
  return useRenewing(
    RENEWED,
    async ({ act, filter, count }: ManyAct) => {
      const progress: ManyProgress = { done: 0, gone: 0, refused: [] };
      let cursor: string | null = null;
      let left = count;
      while (left > 0 && !isStopped()) {
        const reply: ManyReply = await actOnSome(act, filter, Math.min(left, MANY_STEP), cursor);
        progress.done += reply.done;
        progress.gone += reply.gone;
        progress.refused.push(...reply.refused);
        onProgress({ ...progress });
        left = count - handledIn(progress);
        cursor = reply.next;
        if (cursor === null) break;
      }
    },
    { awaited: false },
  );
}

type ManyReply = ManyProgress & { next: string | null };

export const handledIn = ({ done, gone, refused }: ManyProgress): number => done + gone + refused.length;

function actOnSome(
  act: ManyAct['act'],
  { state, target }: EventFilter,
  limit: number,
  cursor: string | null,
): Promise<ManyReply> {
  const some = { limit, ...(target !== '' && { target }), ...(cursor !== null && { cursor }) };
  if (act === 'retry') return call('POST /egress/events/retry', { body: some });
  return call('POST /egress/events/discard', { body: { state, ...some } });
}

// ── Events ──

export interface EventFilter {
  state: EgressEventState;
  /** The ID of a target; empty: every target. */
  target: string;
}

export function useEgressEvents(filter: EventFilter) {
  return useInfiniteQuery({
    queryKey: ['egress-events', filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /egress/events', {
        query: { ...filter, limit: EVENTS_PAGE, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
    // A user who has loaded further pages is reading old rows, not watching new ones.
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) <= LIVE_PAGES_MAX ? LIVE_MS : false),
  });
}

/** With the content, for users who may see it (`edit_pipelines`). */
export function useEgressEvent(id: string) {
  return useQuery({
    queryKey: ['egress-event', id],
    queryFn: ({ signal }) => call('GET /egress/events/:event', { path: { event: id }, signal }),
  });
}

export function useEventAct() {
  return useRenewing(
    RENEWED,
    ({ id, act }: { id: string; act: 'retry' | 'discard' }) =>
      call(`POST /egress/events/:event/${act}`, { path: { event: id } }),
    { awaited: false },
  );
}

export function useEditEvent() {
  return useRenewing(
    RENEWED,
    ({ id, edit }: { id: string; edit: EgressEdit }) =>
      call('PATCH /egress/events/:event', { path: { event: id }, body: edit }),
    { awaited: false },
  );
}

/** Path of dead letters as a file; an empty target: of every target. */
export function exportPath(target: string): string {
  return pathOf('GET /egress/export', { query: { state: 'dead', target } });
}

/** JSON Lines, as in an export; all or none. Existing events are skipped. */
export function useImportEvents() {
  return useRenewing(
    RENEWED,
    (file: Blob) =>
      call('POST /egress/import', {
        file: { content: file, contentType: 'application/jsonl' },
      }),
    { awaited: false },
  );
}

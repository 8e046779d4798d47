import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { AuditRow, Refusal } from '#common/model/audit.ts';
import type { CallOutcome } from '#common/model/call-outcome.ts';
import { call, pathOf } from './client.ts';
import { readSummary } from './journal-summary.ts';
import { type FeedState, type Folding, JournalFeed } from './journal-feed.ts';

/** The journal page's calls. All need `view_audit`. */
const LOOK_MS = 2_000;
const VERIFY_MS_MAX = 10 * 60_000;
const REPEATS_MAX = 1_000;
const DAY_MS = 86_400_000;

export interface JournalFilter {
  /** RFC 3339. */
  from?: string;
  to?: string;
  route?: string;
  code?: string;
  requestId?: string;
  keyId?: string;
  /** The thing that was written, such as `tag:line7/filler/setpoint`. */
  thing?: string;
  type?: AuditRow['type'];
  /** Words that must all occur in the row. */
  find?: string;
  /** An address or a range of addresses. */
  address?: string;
  outcome?: CallOutcome;
}

/** The live list of the journal. `fold` combines related rows into one line. */
export function useJournalFeed(filter: JournalFilter, fold: () => Folding): { feed: JournalFeed; state: FeedState } {
  const text = JSON.stringify(filter);
  const feed = useMemo(() => {
    const asked = JSON.parse(text) as JournalFilter;
    return new JournalFeed((query, signal) => {
      // A request for new rows begins a little before the newest row, which may be before the range.
      const from = [asked.from, query.from]
        .filter((time) => time !== undefined)
        .toSorted()
        .at(-1);
      return call('GET /audit', { query: { ...asked, ...query, from }, signal });
    }, fold);
  }, [text, fold]);
  useEffect(() => {
    void feed.start();
    const timer = setInterval(() => document.visibilityState === 'visible' && void feed.look(), LOOK_MS);
    return () => {
      clearInterval(timer);
      feed.stop();
    };
  }, [feed]);
  return { feed, state: useSyncExternalStore(feed.subscribe, feed.state) };
}

const COUNT_AGAIN_MS = 30_000;
/** A slow count is repeated less often: the index has other queries to answer. */
const PAUSE_PER_WORK = 20;

/** Call counts of the range; polled while the page is visible. */
export function useJournalSummary(filter: JournalFilter, enabled: boolean) {
  const [tookMs, setTookMs] = useState(0);
  return useQuery({
    queryKey: ['journal-summary', filter],
    queryFn: async ({ signal }) => {
      const from = performance.now();
      const read = (cursor: string | null) =>
        call('GET /audit/summary', { query: { ...filter, ...(cursor !== null && { cursor }) }, signal });
      const summary = await readSummary(read);
      setTookMs(performance.now() - from);
      return summary;
    },
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: Math.max(COUNT_AGAIN_MS, tookMs * PAUSE_PER_WORK),
  });
}

const WRITES_SHOWN = 20;
const WRITES_MS = 5_000;

/** The newest writes of one thing of a project, such as `tag:line7/filler/setpoint`. */
export function useWrites(project: string, thing: string) {
  return useQuery({
    queryKey: ['writes', project, thing],
    queryFn: async ({ signal }) => {
      const query = { project, thing, type: 'written' as const, limit: WRITES_SHOWN };
      return (await call('GET /audit', { query, signal })).items;
    },
    refetchInterval: WRITES_MS,
  });
}

/** Path of the rows as a file. */
export function exportPath(filter: JournalFilter, format: 'csv' | 'jsonl'): string {
  return pathOf('GET /audit/export', { query: { ...filter, format } });
}

/** A verification for the UI. */
export interface VerifyReport {
  ok: boolean;
  chains: { chain: 'gateway' | 'host'; segments: number; batches: number; rows: number }[];
  findings: string[];
  /** Rows without an anchor. */
  unproven: {
    chain: 'gateway' | 'host';
    from: number;
    rows: number;
    listed: { batch: number; time: string; type: string; requestId?: string; act?: string }[];
  }[];
  uncleanStops: { chain: 'gateway' | 'host'; from: string; to: string; bytesDropped: number }[];
}
export interface Verification extends VerifyReport {
  /** When it was requested, RFC 3339. */
  at: string;
}

const VERIFIED = ['journal-verified'];
const LAST_VERIFICATION = ['journal-verification'];

export function useVerify() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<Verification> => {
      const at = new Date().toISOString();
      return { ...(await call('GET /audit/verify', { msMax: VERIFY_MS_MAX })), at };
    },
    onSuccess: async (done) => {
      client.setQueryData(VERIFIED, done);
      await client.invalidateQueries({ queryKey: LAST_VERIFICATION });
    },
  });
}

/** The last verification by any user, or by Sluice at night; null: none. */
export function useLastVerification() {
  return useQuery({
    queryKey: LAST_VERIFICATION,
    queryFn: async ({ signal }) => (await call('GET /audit/verification', { signal })).last,
  });
}

/** Path of the proof of the last verification. */
export const PROOF_PATH = pathOf('GET /audit/proof', {});

/** The report of the last verification of this session; null: none. */
export function useVerified(): Verification | null {
  const { data } = useQuery<Verification | null>({
    queryKey: VERIFIED,
    queryFn: () => null,
    // Set only by a verification: a refetch, such as after a broken stream, would lose it.
    enabled: false,
    initialData: null,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return data;
}

export function useJournalUsage(enabled: boolean) {
  return useQuery({
    queryKey: ['journal-usage'],
    queryFn: ({ signal }) => call('GET /audit/usage', { signal }),
    enabled,
  });
}

export interface Repeats {
  count: number;
  since: string;
  /** There are more than were loaded. */
  more: boolean;
}

/** How often the same caller was refused for the same cause on the same route within a day, including this time. */
export function useRepeats(refusal: Refusal) {
  const { code, route, keyId, time } = refusal;
  return useQuery({
    queryKey: ['journal-repeats', refusal.requestId],
    queryFn: async ({ signal }): Promise<Repeats | null> => {
      const from = new Date((time === undefined ? Date.now() : Date.parse(time)) - DAY_MS).toISOString();
      const query = { code, route, keyId, from, limit: REPEATS_MAX };
      const page = await call('GET /audit', { query, signal });
      return repeatsOf(refusal, page.items, page.next !== null);
    },
  });
}

export function repeatsOf(refusal: Refusal, rows: readonly AuditRow[], more: boolean): Repeats | null {
  const same = rows.filter(
    ({ why, ip, keyId, route }) =>
      why?.cause === refusal.cause &&
      route === refusal.route &&
      (refusal.keyId === undefined ? keyId === undefined && ip === refusal.ip : true),
  );
  const count = same.reduce((sum, row) => sum + (row.count ?? 1), 0);
  const oldest = same.at(-1);
  return oldest === undefined ? null : { count, since: oldest.time, more };
}
